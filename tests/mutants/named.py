import json,subprocess,sys,os,time
T='/work/wt/mut2'
M={m['id']:m for f in ('fresh','listed') for m in json.load(open(f'/work/briefs/{f}_mutants.json'))}
for line in sys.stdin:
    i,*tests=line.split()
    if not tests: continue
    m=M[i]; f=f"{T}/{m['file']}"; src=open(f).read(); assert src.count(m['old'])==1
    t=time.time()
    try:
        open(f,'w').write(src.replace(m['old'],m['new']))
        r=subprocess.run([sys.executable,'-m','pytest','-q','-x','-p','no:nbval','-p','no:anyio','-p','no:cacheprovider',*tests],cwd=T,capture_output=True,text=True)
    finally: open(f,'w').write(src)
    tail=[l for l in r.stdout.splitlines() if l.startswith(('FAILED','ERROR'))][:1] or r.stdout.splitlines()[-1:]
    with open('/work/briefs/named.jsonl','a') as s: s.write(json.dumps(dict(id=i,rc=r.returncode,tail=tail,tests=tests))+'\n')
    print(i,'ALIVE' if r.returncode==0 else 'killed' if r.returncode==1 else 'RC%d'%r.returncode,tail,round(time.time()-t),flush=True)
