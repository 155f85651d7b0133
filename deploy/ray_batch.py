#!/usr/bin/env python3
"""Converts all maps of a shared folder or a store as tasks of Ray, each a part of the maps.

usage: ray_batch.py MAPS OUT [PARTS [FLAGS...]]          like: ray_batch.py 's3://maps/**/*.bsp' s3://glb 64 --game s3://maps/baseq3

Every node needs bsp2gltf in its PATH. If a node or a process dies, its part is run again and continues.
"""
import collections, ctypes, json, signal, subprocess, sys, time
import ray

if len(sys.argv) < 3:
    sys.exit(__doc__)
maps, out, *flags = sys.argv[1:]
parts = int(flags.pop(0)) if flags and flags[0].isdigit() else 16


def follow():
    """Ends the program when the Ray process ends that started it (Linux: PR_SET_PDEATHSIG)."""
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)


@ray.remote(num_cpus=1, max_retries=5, retry_exceptions=[RuntimeError])
def part(number):
    command = ['bsp2gltf', 'batch', maps, '-o', out, '--shard', f'{number}/{parts}', '--jobs', '1', '--log', 'json', *flags]
    for wait in 1, 5, 10, 20, 0:
        p = subprocess.run(command, stderr=subprocess.PIPE, text=True, preexec_fn=follow)
        if p.returncode != 73 or not wait:
            break
        time.sleep(wait)  # the process of an earlier attempt still holds the lock of this part; it will end
    lines = [json.loads(line) for line in p.stderr.splitlines() if line.startswith('{')]
    ended = next((line for line in lines if line['msg'] == 'ended'), None)
    if p.returncode in (0, 1) and ended:  # 1: some maps can't be converted
        return ended['converted'], ended['before'], ended['failed']
    raise RuntimeError(f'part {number}: exit code {p.returncode}: {p.stderr.strip().splitlines()[-1:]}')


ray.init(address='auto')
left, total, wrong, began = [part.remote(i) for i in range(parts)], [0, 0, 0], [], time.time()
while left:
    (done,), left = ray.wait(left)
    try:
        total = [a + b for a, b in zip(total, ray.get(done))]
    except ray.exceptions.RayError as e:
        wrong.append(str(e).strip().splitlines()[-1])
    print('{} of {} parts, {} maps converted, {} done before, {} failed, {:.0f} s'.format(parts - len(left), parts, *total, time.time() - began), flush=True)

report = subprocess.run(['bsp2gltf', 'batch', 'report', out], capture_output=True, text=True)
outcomes = collections.Counter(json.loads(line).get('reason') or 'converted' for line in report.stdout.splitlines())
for outcome, n in outcomes.most_common():
    print(f'{outcome:12} {n:7}')
sys.exit('\n'.join(wrong) or 0)
