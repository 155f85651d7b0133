#!/usr/bin/env python3
"""ray_batch.py over many maps on a Ray that this test starts: two nodes on this machine, of which one is killed and a third joins.

usage: ray-test.py PYTHON BSP2GLTF FOLDER-OF-MAPS [MAPS]

PYTHON has Ray. Ray listens on all addresses without a password, so the test runs in a network namespace of its own, which needs root.
"""
import hashlib, json, os, shutil, signal, subprocess, sys, tempfile, time

if os.environ.get('RAY_TEST') != 'inside':
    inside = 'ip link set lo up 2>/dev/null || ifconfig lo up; exec "$@"'
    os.environ['RAY_TEST'] = 'inside'
    os.execvp('unshare', ['unshare', '-n', '--', 'sh', '-c', inside, 'sh', sys.executable, *sys.argv])

python, program, maps = (os.path.abspath(p) for p in sys.argv[1:4])
count = int(sys.argv[4]) if len(sys.argv) > 4 else 300
here = os.path.dirname(os.path.abspath(__file__))
lab = tempfile.mkdtemp(prefix='ray-')
env = {**os.environ, 'PATH': f'{os.path.dirname(program)}:{os.path.dirname(python)}:{os.environ["PATH"]}', 'RAY_USAGE_STATS_ENABLED': '0',
       'RAY_DISABLE_IMPORT_WARNING': '1', 'RAY_TMPDIR': lab, 'XDG_CACHE_HOME': f'{lab}/cache'}
groups = []


def check(ok, what):
    if not ok:
        raise SystemExit(f'FAIL {what} (in {lab})')


def ray(*args):
    """A node: all its processes are one group."""
    p = subprocess.Popen([f'{os.path.dirname(python)}/ray', 'start', '--block', '--num-cpus=2', '--disable-usage-stats', *args], env=env,
                         stdout=open(f'{lab}/node{len(groups)}.log', 'wb'), stderr=subprocess.STDOUT, start_new_session=True)
    groups.append(p)
    return p


def below(pid):
    """A process and all that it has started."""
    try:
        with open(f'/proc/{pid}/task/{pid}/children') as f:
            return [pid] + [x for child in f.read().split() for x in below(int(child))]
    except OSError:
        return []


def kill(p):
    for pid in below(p.pid):
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    p.wait()


def tree(folder):
    found = {}
    for d, dirs, files in os.walk(folder):
        dirs[:] = [x for x in dirs if x != '.bsp2gltf']
        for f in files:
            with open(os.path.join(d, f), 'rb') as data:
                found[os.path.relpath(os.path.join(d, f), folder)] = hashlib.sha256(data.read()).hexdigest()
    return found


def run():
    sources = sorted(os.path.join(d, f) for d, _, files in os.walk(maps) for f in files if f.endswith('.bsp'))
    os.makedirs(f'{lab}/in')
    for n in range(count):
        shutil.copyfile(sources[n % len(sources)], f'{lab}/in/m{n:04}.bsp')
    began = time.time()
    subprocess.run([program, '-q', 'batch', f'{lab}/in', '-o', f'{lab}/alone'], check=True, timeout=900, env=env)
    alone = time.time() - began
    ray('--head', '--port=6379', '--node-ip-address=127.0.0.1', '--include-dashboard=false')
    time.sleep(8)
    other = ray('--address=127.0.0.1:6379', '--node-ip-address=127.0.0.1')
    time.sleep(5)
    began = time.time()
    script = subprocess.Popen([python, f'{here}/ray_batch.py', f'{lab}/in', f'{lab}/out', '16'], env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    while script.poll() is None and len([f for _, _, all in os.walk(f'{lab}/out') for f in all if f.endswith('.glb')]) < count // 4:
        check(time.time() - began < 120, 'nothing is converted')
        time.sleep(0.2)
    check(script.poll() is None, 'it ended before anything was killed')
    kill(other)
    print(f'{time.time() - began:5.1f} s: a node is killed, another joins', flush=True)
    ray('--address=127.0.0.1:6379', '--node-ip-address=127.0.0.1')
    said, _ = script.communicate(timeout=600)
    took = time.time() - began
    check(script.returncode == 0, said[-2000:])
    check(f'converted    {count:7}' in said, said[-2000:])
    check(tree(f'{lab}/out') == tree(f'{lab}/alone'), 'other outputs than those of one machine')
    report = subprocess.run([program, 'batch', 'report', f'{lab}/out'], capture_output=True, text=True, env=env)
    check(len({json.loads(line)['output'] for line in report.stdout.splitlines()}) == count, 'not one record each')
    print(f'ok: Ray: {count} maps in 16 parts, a node killed: {took:.0f} s (a batch alone: {alone:.0f} s), one record each, the bytes of one machine')


try:
    run()
finally:
    for p in groups:
        kill(p)
shutil.rmtree(lab)
