#!/usr/bin/env python3
"""A cluster on this machine of which every part is killed: three nodes of nats-server, an S3 server, three workers.

usage: cluster-test.py BSP2GLTF OTHER-VERSION NATS-SERVER VERSITYGW FOLDER-OF-MAPS [JOBS]

A worker is killed with -9, a node of the queue is killed and restarted, and the S3 server is away for 10 seconds. In the end every map
must have exactly one record, and one output with the bytes of a single conversion. All that batch report said meanwhile must have been
true. One map is broken, and one has thousands of files; one worker is of another version. The users have the rights of nats.conf, and
workers the places of --allow-in and --allow-out.

bsp2gltf-queue must be beside BSP2GLTF and beside OTHER-VERSION. The section cluster of .ci/run builds both and gets the servers:
versitygw 1.8.0, and nats-server from Debian (2.9.10) and from the queue's module.
"""
import json, os, shutil, signal, struct, subprocess, sys, threading, time
import lab
from lab import check, home, kill, names, running, sha, start

lab.enter()
program, other, server, gateway, maps = (os.path.abspath(p) for p in sys.argv[1:6])
count = int(sys.argv[6]) if len(sys.argv) > 6 else 300
base = 24000
passwords = {f'{user.upper()}_PASSWORD': f'{user}s' for user in ('submitter', 'worker', 'viewer')}


def node(i):
    """Starts a node as compose.yaml does."""
    routes = ','.join(f'nats://127.0.0.1:{base + 4 + k}' for k in range(3))
    start(f'n{i}', [server, '--config', f'{lab.here}/nats.conf', '--name', f'n{i}', '-a', '127.0.0.1', '-p', str(base + i), '-m', str(base + 9 + i),
                           '-js', '-sd', f'{home}/js{i}', '--cluster_name', 'bsp2gltf', '--cluster', f'nats://127.0.0.1:{base + 4 + i}',
                           '--routes', routes], **passwords)


s3env = {**lab.keys, 'AWS_REGION': 'us-east-1', 'XDG_CACHE_HOME': f'{home}/cache'}
query = lab.url('')[len('s3://'):]
queue = ['--queue', f'nats://127.0.0.1:{base},127.0.0.1:{base + 1},127.0.0.1:{base + 2}']


def s3():
    lab.s3(gateway, f'{home}/s3')


def user(name):
    return {**s3env, 'NATS_USER': name, 'NATS_PASSWORD': f'{name}s'}


def worker(i, *flags, by=program):
    return start(f'w{i}', [by, 'worker', *queue, '--jobs', '1', '--scratch', f'{home}/scratch', '--log', 'json', '--cache', f's3://maps-cache/images{query}',
                           '--allow-in', f's3://maps-in{query}', '--allow-out', f's3://maps-out{query}', *flags],
                 **{**user('worker'), 'XDG_CACHE_HOME': f'{home}/cache{i}'})


def submit(*args, by=program):
    r = subprocess.run([by, 'batch', *args, *queue], capture_output=True, text=True, env={**os.environ, **user('submitter')}, timeout=120)
    check(r.returncode == 0, f'batch --queue {args}: {r.stderr}')
    return r.stderr


def report(part):
    """The records of a folder of outputs, by output, or None if the store is away."""
    r = subprocess.run([program, 'batch', 'report', f's3://maps-out/{part}{query}'], capture_output=True, text=True, env={**os.environ, **s3env}, timeout=300)
    if r.returncode:
        return {} if 'no batch has written' in r.stderr else None
    records = [json.loads(line) for line in r.stdout.splitlines()]
    found = {r['output']: r for r in records}
    check(len(found) == len(records), 'an output has two records')
    return found


def tiles(n):
    """A Quake map with n tiles, each with a texture of its own."""
    lumps = [b''] * 15
    side = 80
    corners = [(x * 16., y * 16., 0.) for i in range(n) for x, y in ((i % side, i // side), (i % side, i // side + 1), (i % side + 1, i // side + 1), (i % side + 1, i // side))]
    names = [b'tile%d' % i for i in range(n)]
    # Each tile has its own pixel pattern, because equal images would become one file.
    textures = [name.ljust(16, b'\0') + struct.pack('<6I', 16, 16, 40, 296, 360, 376) + bytes((i >> (k % 13) & 1) * 100 + k % 16 for k in range(256)) + bytes(84)
                for i, name in enumerate(names)]
    lumps[0] = b'{\n"classname" "worldspawn"\n}\n\0'
    lumps[1] = struct.pack('<4fi', 0, 0, 1, 0, 2)
    lumps[2] = struct.pack(f'<i{n}i', n, *(4 + 4 * n + i * len(textures[0]) for i in range(n))) + b''.join(textures)
    lumps[3] = b''.join(struct.pack('<3f', *c) for c in corners)
    lumps[6] = b''.join(struct.pack('<8f2i', 1, 0, 0, 0, 0, 1, 0, 0, i, 0) for i in range(n))
    lumps[7] = b''.join(struct.pack('<HHIHH4Bi', 0, 0, 4 * i, 4, i, 255, 255, 255, 255, -1) for i in range(n))
    lumps[10] = struct.pack('<ii6hHH4B', -2, -1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    lumps[12] = bytes(4) + b''.join(struct.pack('<HH', 4 * i + k, 4 * i + (k + 1) % 4) for i in range(n) for k in range(4))
    lumps[13] = b''.join(struct.pack('<i', 1 + k) for k in range(4 * n))
    lumps[14] = struct.pack('<9f7i', 0, 0, -1, 16. * side, 16. * side, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, n)
    head, at = b'', 4 + 8 * 15
    for lump in lumps:
        head += struct.pack('<ii', at, len(lump))
        at += len(lump)
    return struct.pack('<i', 29) + head + b''.join(lumps)


def outputs():
    return [name for name in names(f'{home}/s3/maps-out/good') if name.endswith('.glb')]


parts = {'good': count, 'broken': 1, 'tiles': 1, 'other': 1}  # 'other' is of the other version: only that may convert it
wrong, last = [], []


def ask():
    """Asks for the records until all exist. Each time, compares them with the existing outputs."""
    before = 0
    while not wrong:
        good = report('good')
        if good is None:
            continue
        now = set(outputs())
        if len(good) < before or any(r.get('reason') for r in good.values()):
            wrong.append(f'{len(good)} records after {before}')
        wrong.extend(f'{name} is said to be done' for name in good if name not in now)
        before = len(good)
        last.append(good)
        if all(len(report(part) or {}) == n for part, n in parts.items()):
            return
        time.sleep(0.2)


def prepare():
    """Puts maps into the S3 server: good ones, a broken one, and one with many files."""
    for bucket in ('maps-in/maps', 'maps-in/broken', 'maps-in/tiles', 'maps-in/other', 'maps-out', 'maps-cache'):
        os.makedirs(f'{home}/s3/{bucket}')
    sources = sorted(os.path.join(d, f) for d, _, files in os.walk(maps) for f in files if f.endswith('.bsp'))[:20]
    for n in range(count):
        shutil.copyfile(sources[n % len(sources)], f'{home}/s3/maps-in/maps/m{n:04}.bsp')
    shutil.copyfile(sources[0], f'{home}/s3/maps-in/other/other.bsp')
    with open(f'{home}/s3/maps-in/broken/broken.bsp', 'wb') as f:
        f.write(struct.pack('<4si', b'IBSP', 46) + b'\xff' * 99)
    with open(f'{home}/s3/maps-in/tiles/tiles.bsp', 'wb') as f:
        f.write(tiles(6000))


def submissions():
    """Puts all jobs into the queue; the good ones twice."""
    good = [f's3://maps-in/maps{query}', '-o', f's3://maps-out/good{query}']
    check(f'{count} maps queued' in submit(*good, '--replicas', '3'), 'submit')
    check(f'0 maps queued, {count} in the queue already' in submit(*good), 'submit again')
    submit(f's3://maps-in/broken{query}', '-o', f's3://maps-out/broken{query}')
    submit(f's3://maps-in/tiles{query}', '-o', f's3://maps-out/tiles{query}', '--format', 'gltf')
    submit(f's3://maps-in/other{query}', '-o', f's3://maps-out/other{query}', by=other)


def kills():
    """Kills one of each part while the workers work, until nothing is left to do. Returns the seconds that this took."""
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
                kill('w0')
            elif step == 'node':
                kill('n1')
                back.append((time.time() + 5, lambda: node(1)))
            else:
                kill('s3')
                back.append((time.time() + 10, s3))
        time.sleep(0.05)
    check(not wrong, wrong)
    check(not steps, f'{steps} were not killed: too few jobs')
    return time.time() - began


def results():
    """Checks that each map has the right record, and each output the bytes of a single conversion. Returns the numbers of attempts."""
    good = report('good')
    check(len(good) == count and not any(r.get('reason') for r in good.values()), 'the good maps')
    [broken], [many], [others] = (report(part).values() for part in ('broken', 'tiles', 'other'))
    check(broken['reason'] == 'corrupt' and broken['attempts'] == 1, f'the broken map: {broken}')
    check(not others.get('reason') and others['tool'] != many['tool'], f'the map of the other version: {others}')
    check(len(many['files']) == 6002 and {f['name']: f['sha256'] for f in many['files']} == lab.tree(f'{home}/s3/maps-out/tiles'), 'the map with many files')
    for n in range(count):
        subprocess.run([program, '-q', f'{home}/s3/maps-in/maps/m{n:04}.bsp', f'{home}/single/m{n:04}.glb'], check=True)
    found, want = lab.tree(f'{home}/s3/maps-out/good'), lab.tree(f'{home}/single')
    check(set(found) == set(want), f'outputs: {sorted(set(found) ^ set(want))[:9]}')
    for name in want:
        check(found[name] == want[name], f'{name} is not what a single conversion writes')
    check(len(names(f'{home}/s3/maps-cache')) > 10, 'the workers share no cache')
    return [r['attempts'] for r in good.values()]


def strangers():
    """Checks that a job that names other places fails, and that a worker can't post one."""
    submit(f'{lab.here}/../testdata/demo/maps', '-o', f's3://maps-out/demo{query}')
    while not (refused := report('demo')):
        time.sleep(0.2)
    check(all(r['reason'] == 'usage' and '--allow-in' in r['message'] for r in refused.values()), f'a path that is not allowed: {refused}')
    check(not lab.tree(f'{home}/s3/maps-out/demo'), 'a job that was refused has an output')
    r = subprocess.run([program, 'batch', f's3://maps-in/maps{query}', '-o', f's3://maps-out/x{query}', *queue],
                       capture_output=True, text=True, env={**os.environ, **user('worker')}, timeout=120)
    check(r.returncode != 0, 'a worker may submit')


def run():
    prepare()
    for i in range(3):
        node(i)
    s3()
    time.sleep(3)
    submissions()
    workers = [worker(0), worker(1), worker(2), worker(3, by=other)]
    took = kills()
    attempts = results()
    print(f'{sum(parts.values())} jobs in {took:.0f} s; {len(last)} times the report was true; attempts: {sorted(set(attempts))}, {sum(a > 1 for a in attempts)} more than one')
    strangers()
    workers[0] = worker(0, '--until-empty')
    check(workers[0].wait(timeout=60) == 0, 'a worker with --until-empty does not end with success')
    left = [name for name in names(f'{home}/scratch') if name.endswith('.bsp') or '/out/' in name]
    check(not left, f'a killed worker left {left[:9]}')
    for p in workers[1:]:
        t = time.time()
        os.kill(p.pid, signal.SIGTERM)
        p.wait(timeout=10)
        check(p.returncode == 143 and time.time() - t < 5, f'a worker ended with {p.returncode} after {time.time() - t:.1f} s')
    version = subprocess.run([server, '--version'], capture_output=True, text=True, check=True).stdout.strip()
    print(f'ok: {version}: every map has one outcome, which is right')


run()
lab.finish()
