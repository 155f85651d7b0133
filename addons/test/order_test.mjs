// usage: node order_test.mjs
// What has no `sort` is drawn as opaque surfaces are: after the sky's 2, before the decals' 4.
import assert from 'node:assert';
import { orderOf } from '../shared/order.js';

assert.deepEqual([{ sort: 2 }, {}, undefined, { sort: 'x' }, { sort: 3 }, { sort: 4.5 }].map(orderOf), [-1, 0, 0, 0, 0, 1.5]);
console.log('ok order: what has no sort is drawn as opaque surfaces are');
