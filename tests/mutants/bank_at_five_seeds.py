import sys, json, time
from pathlib import Path
sys.path.insert(0,'tests/graders')
from autograder.authoring.layers import Layers
from autograder.judging.exam import Exam
from autograder.judging import evaluate as ev
from autograder.worker.session import Session
SEEDS=[1,2,3,4,5]
out=Path('/work/bank/found.jsonl')
for q in sys.argv[1:]:
    t=time.time()
    folder=next(Path('exercises').glob(q[:2]+'_*')); layers=Layers.of(folder,None); src=layers.source()
    files=sorted(Path('/work/bank',q).glob('*.py')); pts={f.stem:[] for f in files}; says={}
    full=None
    for seed in SEEDS:
        with Session() as s:
            exam=Exam.at_seed(folder,seed,s,question=q)
            full=sum(p.points for p in exam.questions[q].parts)
            for f in files:
                answers={**src.solutions,q:f.read_text()}
                try: r=ev.evaluate(exam,q,src.setup,answers,s,{})
                except Exception as e: pts[f.stem].append('ERR '+repr(e)[:100]); continue
                pts[f.stem].append(r.points)
                lost=[p.name for p in r.parts if p.points<p.max_points] if hasattr(r.parts[0],'max_points') else [str(p)[:60] for p in r.parts]
                says.setdefault(f.stem,[]).append((r.status,lost,list(r.mistakes) if r.mistakes else []))
    for name,p in pts.items():
        head=' | '.join(l for l in Path('/work/bank',q,name+'.py').read_text().splitlines()[1:3] if l.startswith('#'))
        flag=''
        if name.startswith('wrong') and full in p: flag='ACCEPTED' if all(x==full for x in p) else 'SOMETIMES'
        elif name.startswith('right') and any(x!=full for x in p): flag='REFUSED'
        elif len(set(map(str,p)))>1: flag='DIFFERS'
        with out.open('a') as s: s.write(json.dumps(dict(q=q,name=name,points=p,full=full,flag=flag,says=says.get(name),head=head))+'\n')
        if flag: print(q,name,flag,p,'of',full,head[:200],flush=True)
        if flag=='DIFFERS': print('    ',[x[1] for x in says[name]],flush=True)
    print(q,len(files),'answers',round(time.time()-t),'s',flush=True)
