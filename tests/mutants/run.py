"""As run_mutants.py, but a parent holds torch and the rest, and a fork runs pytest."""
import argparse, ast, json, os, re, sys, time, signal, io, contextlib
from pathlib import Path
a=argparse.ArgumentParser(); a.add_argument('--tree',type=Path); a.add_argument('--json'); a.add_argument('--out',type=Path)
a.add_argument('--shard',default='1/1'); a.add_argument('--wide',action='store_true'); a.add_argument('--survivors-of'); a.add_argument('--ids',default=''); a.add_argument('--skip',default='')
o=a.parse_args(); T=o.tree.resolve()
M=json.load(open(o.json)); i,n=map(int,o.shard.split('/')); M=[m for k,m in enumerate(M) if k%n==i-1]
if o.survivors_of:
    rows=[json.loads(l) for f in o.survivors_of.split(',') for l in open(f)]; alive={r['id'] for r in rows if not r['killed'] or r['killed']=='timeout?'}; M=[m for m in M if m['id'] in alive]
if o.ids: M=[m for m in M if m['id'] in o.ids.split(',')]
M=[m for m in M if m['id'] not in o.skip.split(',')]
done={json.loads(l)['id'] for l in open(o.out)} if o.out.exists() else set()
os.environ['OMP_NUM_THREADS']='1'; sys.dont_write_bytecode=True; os.environ['PYTHONDONTWRITEBYTECODE']='1'
os.environ['PYTHONPATH']=f'{T}:{T}/exercises/autograder'
os.chdir(T); sys.path[:0]=[str(T),str(T/'exercises/autograder')]
import torch, numpy, pytest, hypothesis, jaxtyping, matplotlib, safetensors.torch, hypothesis.strategies
import transformers, tokenizers, sacrebleu, scipy.stats, sklearn.datasets, xdist, pytest_cov
matplotlib.use('Agg'); import matplotlib.pyplot
assert not any(k.startswith('transformer_lib') for k in sys.modules)
tests={p:p.read_text() for p in sorted((T/'tests/library').rglob('test_*.py'))}
def enclosing(src,pos):
    line=src[:pos].count('\n')+1; names=[]
    def walk(node):
        for c in ast.iter_child_nodes(node):
            if hasattr(c,'lineno') and c.lineno<=line<=(c.end_lineno or 0):
                if isinstance(c,(ast.FunctionDef,ast.ClassDef)): names.append(c.name)
                walk(c)
    walk(ast.parse(src)); return names
def chosen(m,src):
    dotted=m['file'][:-3].replace('/','.'); base=Path(m['file']).stem; parent=dotted.rsplit('.',1)[0]
    names=[x for x in enclosing(src,src.index(m['old'])) if not x.startswith('__')]
    score={}
    for p,t in tests.items():
        s=0
        if p.stem=='test_'+base: s+=5
        if dotted in t or re.search(rf'from {re.escape(parent)} import [^\n]*\b{base}\b',t): s+=6
        if Path(m['file']).parts[1] in p.parts: s+=1
        for x in names: s+=3*bool(re.search(rf'\b{x.lstrip("_")}\b',t))
        if s>=(2 if o.wide else 4): score[p]=s
    return sorted(score,key=lambda p:-score[p])[:(45 if o.wide else 12)]
def run(paths,mark,limit):
    r,w=os.pipe(); pid=os.fork()
    if pid==0:
        os.setsid(); os.close(r); os.dup2(w,1); os.dup2(w,2)
        try: code=pytest.main(['-q','-x','-W','ignore:Module already imported','-p','no:nbval','-p','no:anyio','-p','no:cacheprovider',*mark,*map(str,paths)])
        except BaseException as e: print('ERROR crash',repr(e)); code=1
        sys.stdout.flush(); os._exit(int(code))
    os.close(w); os.set_blocking(r,False); out=b''; t=time.time(); status=None
    while True:
        with contextlib.suppress(BlockingIOError):
            while (b:=os.read(r,65536)): out+=b
        p,st=os.waitpid(pid,os.WNOHANG)
        if p: status=os.waitstatus_to_exitcode(st); break
        if time.time()-t>limit: os.killpg(pid,signal.SIGKILL); os.waitpid(pid,0); break
        time.sleep(.05)
    with contextlib.suppress(BlockingIOError):
        while (b:=os.read(r,65536)): out+=b
    os.close(r)
    return status,out.decode(errors='replace')
for m in M:
    if m['id'] in done: continue
    f=T/m['file']; src=f.read_text(); t=time.time(); killed=None
    if src.count(m['old'])!=1: print(m['id'],'old not unique'); continue
    ps=chosen(m,src)
    try:
        f.write_text(src.replace(m['old'],m['new']))
        if ps:
            status,out=run(ps,[] if o.wide else ['-m','not slow'],1200 if o.wide else 500)
            open('/tmp/last_out.txt','w').write(out)
            if status is None: killed='timeout?'
            elif status not in (0,5): killed=(re.findall(r'^(?:FAILED|ERROR) (\S+)',out,re.M) or [out[-300:]])[0]
    finally: f.write_text(src)
    row={'id':m['id'],'file':m['file'],'killed':killed,'tests':len(ps),'seconds':round(time.time()-t),'what':m['what']}
    with o.out.open('a') as s: s.write(json.dumps(row)+'\n')
    print(row['id'],'KILLED' if killed else 'ALIVE',killed,row['tests'],row['seconds'],flush=True)
