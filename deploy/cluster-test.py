#!/usr/bin/env python3
"""A cluster on this machine, with everything in it killed: three nodes of nats-server, an S3 server, three workers.

usage: cluster-test.py BSP2GLTF VERSITYGW FOLDER-OF-MAPS [JOBS]

A worker is killed with -9, a node of the queue is killed and restarted, and the S3 server is away for 10 seconds. In the end
every map must have exactly one output with the bytes of a single conversion, and the status must have been true throughout.
The workers share a cache in the S3 server, too. BSP2GLTF has bsp2gltf-queue beside it.
nats-server is Debian's package; versitygw comes by go install github.com/versity/versitygw/cmd/versitygw@v1.8.0.
"""
import hashlib, json, os, shutil, signal, subprocess, sys, tempfile, threading, time

program, gateway, maps = (os.path.abspath(p) for p in sys.argv[1:4])
count = int(sys.argv[4]) if len(sys.argv) > 4 else 300
base = 24000 + os.getpid() % 500 * 16
lab = tempfile.mkdtemp(prefix='cluster-')
running = []


def start(name, args, **env):
    log = open(f'{lab}/{name}.log', 'ab')
    p = subprocess.Popen(args, stdout=log, stderr=log, env={**os.environ, **env}, start_new_session=True)
    running.append(p)
    return p


def kill(p):
    """Kills a process with all that it has started."""
    try:
        os.killpg(p.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    p.wait()
    running.remove(p)


def node(i):
    routes = ','.join(f'nats-route://127.0.0.1:{base + 4 + k}' for k in range(3))
    config = f'{lab}/n{i}.conf'
    with open(config, 'w') as f:
        f.write(f'server_name: n{i}\nlisten: 127.0.0.1:{base + i}\njetstream: {{store_dir: "{lab}/js{i}"}}\n'
                f'cluster: {{name: c, listen: 127.0.0.1:{base + 4 + i}, routes: [{routes.replace(",", ", ")}]}}\n')
    return start(f'n{i}', ['nats-server', '-c', config])


s3env = {'AWS_ACCESS_KEY_ID': 'key', 'AWS_SECRET_ACCESS_KEY': 'secret', 'AWS_REGION': 'us-east-1', 'XDG_CACHE_HOME': f'{lab}/cache'}
query = f'?region=us-east-1&endpoint=http://127.0.0.1:{base + 8}&use_path_style=true&disable_https=true'
queue = ['--queue', f'nats://127.0.0.1:{base},127.0.0.1:{base + 1},127.0.0.1:{base + 2}', '--lease', '5s']


def s3():
    return start('s3', [gateway, '--port', f'127.0.0.1:{base + 8}', 'posix', f'{lab}/s3'], ROOT_ACCESS_KEY='key', ROOT_SECRET_KEY='secret')


def worker(i):
    return start(f'w{i}', [program, 'worker', *queue, '--jobs', '1', '--scratch', f'{lab}/scratch{i}', '--log', 'json',
                           '--cache', f's3://maps-cache/images{query}'], **{**s3env, 'XDG_CACHE_HOME': f'{lab}/cache{i}'})


def status():
    r = subprocess.run([program, 'batch', 'status', *queue, '--json'], capture_output=True, env={**os.environ, **s3env}, timeout=60)
    return json.loads(r.stdout) if r.returncode == 0 else None


def sha(path):
    with open(path, 'rb') as f:
        return hashlib.sha256(f.read()).hexdigest()


def tree(folder):
    found = {}
    for d, _, files in os.walk(folder):
        for f in files:
            p = os.path.join(d, f)
            found[os.path.relpath(p, folder)] = p
    return found


def outputs():
    return [name for name in tree(f'{lab}/s3/maps-out') if name.endswith('.glb')]


def check(ok, what):
    if not ok:
        raise SystemExit(f'FAIL {what} (logs in {lab})')


wrong, last = [], []


def ask():
    """Asks for the status until all is done. What it says is compared with the outputs that are there."""
    before = 0
    while not wrong:
        s = status()
        if s is None:  # the node that was asked is gone
            continue
        now, done = set(outputs()), s['counts']['done']
        if s['total'] != count or sum(s['counts'].values()) != count or s['counts']['failed'] or done < before:
            wrong.append(f'status: {s["counts"]} after {before}')
        wrong.extend(f'{j["job"]["output"]} is said to be done' for j in s['jobs'] if j['state'] == 'done' and j['job']['output'] not in now)
        before = done
        last.append(s)
        if done == count:
            return
        time.sleep(0.2)


def run():
    os.makedirs(f'{lab}/s3/maps-in/maps')
    os.makedirs(f'{lab}/s3/maps-out')
    os.makedirs(f'{lab}/s3/maps-cache')
    sources = sorted(os.path.join(d, f) for d, _, files in os.walk(maps) for f in files if f.endswith('.bsp'))[:20]
    for n in range(count):
        shutil.copyfile(sources[n % len(sources)], f'{lab}/s3/maps-in/maps/m{n:04}.bsp')
    nodes = [node(i) for i in range(3)]
    gate = s3()
    time.sleep(3)
    r = subprocess.run([program, 'batch', 'submit', f's3://maps-in/{query}', '-o', f's3://maps-out/{query}', '--replicas', '3', *queue],
                       capture_output=True, text=True, env={**os.environ, **s3env}, timeout=120)
    check(r.returncode == 0 and f'{count} jobs submitted' in r.stderr, f'submit: {r.stderr}')
    r = subprocess.run([program, 'batch', 'submit', f's3://maps-in/{query}', '-o', f's3://maps-out/{query}', *queue],
                       capture_output=True, text=True, env={**os.environ, **s3env}, timeout=120)
    check(f'0 jobs submitted, {count} in the queue already' in r.stderr, f'submit again: {r.stderr}')
    workers = [worker(i) for i in range(3)]
    steps, back, began = ['worker', 'node', 's3'], [], time.time()
    asked = threading.Thread(target=ask)
    asked.start()
    while asked.is_alive():
        check(time.time() - began < 900, 'not done within 15 minutes')
        for b in [b for b in back if time.time() > b[0]]:
            b[1]()
            back.remove(b)
        done = len(outputs())
        if steps and done >= count * (4 - len(steps)) // 5:
            step = steps.pop(0)
            print(f'{time.time() - began:5.1f} s, {done} outputs: kill the {step}', flush=True)
            if step == 'worker':
                kill(workers[0])
            elif step == 'node':
                kill(nodes[1])
                back.append((time.time() + 5, lambda: nodes.__setitem__(1, node(1))))
            else:
                kill(gate)
                back.append((time.time() + 10, s3))
        time.sleep(0.05)
    check(not wrong, wrong)
    s = last[-1]
    took = time.time() - began
    check(len(tree(f'{lab}/s3/maps-cache')) > 10, 'the workers share no cache')
    check(not steps, f'{steps} were not killed: too few jobs')
    for n in range(count):
        subprocess.run([program, '-q', f'{lab}/s3/maps-in/maps/m{n:04}.bsp', f'{lab}/single/maps/m{n:04}.glb'], check=True)
    found, want = tree(f'{lab}/s3/maps-out'), tree(f'{lab}/single')
    check(set(found) == set(want), f'outputs: {sorted(set(found) ^ set(want))[:9]}')
    for name in want:
        check(sha(found[name]) == sha(want[name]), f'{name} is not what a single conversion writes')
    attempts = [j['attempt'] for j in s['jobs']]
    print(f'{count} jobs in {took:.0f} s; {len(last)} times the status was true; attempts: {sorted(set(attempts))}, {sum(a > 1 for a in attempts)} more than one')
    for p in workers[1:]:
        t = time.time()
        os.kill(p.pid, signal.SIGTERM)
        p.wait(timeout=10)
        check(p.returncode == 143 and time.time() - t < 5, f'a worker ended with {p.returncode} after {time.time() - t:.1f} s')
    print('ok: every map has one output, which is right')


try:
    run()
    shutil.rmtree(lab)
finally:
    for p in list(running):
        kill(p)
