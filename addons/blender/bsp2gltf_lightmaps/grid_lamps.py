# SPDX-License-Identifier: MIT OR GPL-3.0-or-later
"""Lamps guessed from a light grid: q3map2 takes the entities of lamps out of maps, but the grid has at each sample the direction of most light.

From each sample a ray goes toward its light, through open samples, to where it is brightest. Where many rays end, a lamp is set. Rays that
leave the grid, or on which the light does not rise, come from the sky or a large surface.
"""

import numpy

LEAST, RISE = 0.02, 1.25  # directed light of a sample; how much brighter a ray's end is than its start
VOTES, MOST = 4, 150  # rays that end at a lamp; lamps of a map
REACH = 256  # steps of a ray, of a quarter of the grid's smallest


def guess(size, origin, steps, ambient, directed, toward) -> list:
    """Places in the grid's axes, colours up to 1, and the light of a white surface at a metre. ambient and directed are linear, as toward
    an array of three numbers for each sample."""
    size, origin, steps = numpy.array(size), numpy.array(origin, "f8"), numpy.array(steps, "f8")
    weights = numpy.array((0.2126, 0.7152, 0.0722))
    total, own = (ambient + directed) @ weights, directed @ weights
    length = numpy.linalg.norm(toward, axis=1)
    number = numpy.arange(len(total))
    places = origin + numpy.stack((number % size[0], number // size[0] % size[1], number // (size[0] * size[1])), 1) @ steps
    cells = steps.T / (steps ** 2).sum(1)

    def sample(points):
        cell = numpy.rint((points - origin) @ cells).astype(int)
        inside = ((cell >= 0) & (cell < size)).all(1)
        cell = numpy.clip(cell, 0, size - 1)
        return cell[:, 0] + size[0] * (cell[:, 1] + size[1] * cell[:, 2]), inside

    start = numpy.flatnonzero((own > LEAST) & (length > 0.25))
    if not len(start):
        return []
    way = toward[start] / length[start, None] * numpy.sqrt((steps ** 2).sum(1).min()) / 4
    at, end, best = places[start].copy(), places[start].copy(), total[start].copy()
    going = numpy.ones(len(start), bool)
    left = numpy.zeros(len(start), bool)
    for _ in range(REACH):
        at += way
        here, inside = sample(at)
        left |= going & ~inside
        going &= inside & (total[here] > 0)
        if not going.any():
            break
        brighter = going & (total[here] > 1.02 * best)
        best[brighter], end[brighter] = total[here][brighter], at[brighter]
    lit = ~left & (best > RISE * total[start])
    start, end = start[lit], end[lit]
    votes = numpy.bincount(sample(end)[0], own[start], len(total)) if len(start) else numpy.zeros(len(total))
    near, found, free = numpy.sqrt((steps ** 2).sum(1).max()), [], numpy.ones(len(start), bool)
    for peak in numpy.argsort(-votes, kind="stable"):
        if votes[peak] <= 0 or len(found) == MOST:
            break
        rays = free & (numpy.linalg.norm(end - places[peak], axis=1) < near)
        if rays.sum() < VOTES:
            continue
        free &= ~rays
        light, ends = own[start[rays]], end[rays]
        place = (ends * light[:, None]).sum(0) / light.sum()
        if total[sample(place[None])[0][0]] <= 0:  # in a wall
            place = ends[numpy.linalg.norm(ends - place, axis=1).argmin()]
        strength = float(numpy.median(light * ((places[start[rays]] - place) ** 2).sum(1)))
        colour = (directed[start[rays]] * light[:, None]).sum(0)
        found.append((place, colour / colour.max(), strength))
    return found
