import sys,dataclasses
from pathlib import Path
sys.path.insert(0,'tests/graders')
from autograder.authoring.layers import Layers
from autograder.judging.fixtures import read_exam
from autograder.judging import evaluate as ev, checking
from autograder.worker.session import Session
for q in sys.argv[1:]:
    folder=next(Path('exercises').glob(q[:2]+'_*')); src=Layers.of(folder,None).source()
    exam=read_exam((folder/'fixtures.json').read_text(),'x')
    with Session() as s:
        for f in sorted(Path('/work/bank',q).glob('wrong*.py'),key=lambda p:int(p.stem[6:])):
            r=ev.evaluate(exam,q,src.setup,{**src.solutions,q:f.read_text()},s,{})
            lost=[p for p in r.parts if p.points<p.max_points]; r=checking._next_hints(exam,r,f.read_text()) if lost else r
            print('=====',q,f.stem,*[l for l in f.read_text().splitlines()[1:3]]); print(r.feedback); print(*r.hint_lines(),sep='\n',flush=True)
