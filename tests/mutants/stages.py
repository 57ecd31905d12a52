"""Run named stages of run_tests in the clone: python stages.py library notebooks ..."""
import sys; sys.path.insert(0,'tools')
import run_tests
from pathlib import Path
want=sys.argv[1:]
st={s.name:s for s in run_tests.all_stages()}
for w in want:
    s=st[w]; s.command=[c.replace('--durations=15','--durations=60').replace('--durations-min=5','--durations-min=4') for c in s.command]
    s.run(); print('STAGE',w,round(s.seconds/60,1),'FAILED' if s.returncode else 'passed',s.closing_line,flush=True)
