'use strict';
// All that comes from maps is set as text, never as markup.
const $ = (id) => document.getElementById(id);
const data = { base: JSON.parse($('base').textContent), records: [] };
const step = 200; // cards at a time

function element(name, className, text) {
  const e = document.createElement(name);
  if (className) e.className = className;
  if (text !== undefined) e.textContent = text;
  return e;
}

function size(n) {
  const units = ['B', 'kB', 'MB', 'GB'];
  let i = 0;
  for (; n >= 999.95 && i < units.length - 1; i++) n /= 1000;
  return `${i ? n.toFixed(1) : n} ${units[i]}`;
}

const count = (n, noun) => `${n.toLocaleString('en')} ${noun}${n === 1 ? '' : 's'}`;
const seconds = (s) => (s < 1 ? `${Math.round(s * 1000)} ms` : `${s.toFixed(1)} s`);
const failed = (r) => Boolean(r.reason);
const summary = (r) => r.summary || {};
const text = (r) => [r.path, r.output, r.reason, r.message, summary(r).map, summary(r).title, summary(r).game,
  ...(summary(r).missing || [])].join('\n').toLowerCase();
let haystack; // made for the first search

const orders = {
  failures: (a, b) => failed(b) - failed(a) || name(a, b),
  name: (a, b) => name(a, b),
  missing: (a, b) => (summary(b).lacking || 0) - (summary(a).lacking || 0) || name(a, b),
  issues: (a, b) => (summary(b).warnings || 0) - (summary(a).warnings || 0) || name(a, b),
  size: (a, b) => (summary(b).written || 0) - (summary(a).written || 0) || name(a, b),
  faces: (a, b) => (summary(b).faces || 0) - (summary(a).faces || 0) || name(a, b),
  time: (a, b) => (summary(b).seconds || 0) - (summary(a).seconds || 0) || name(a, b),
};
function name(a, b) { return a.output < b.output ? -1 : a.output > b.output ? 1 : 0; }

const filters = {
  all: () => true,
  failed,
  converted: (r) => !failed(r),
  missing: (r) => summary(r).lacking > 0,
  issues: (r) => summary(r).warnings > 0,
};

// picture returns a picture by its number, from 1. Each element holds two hundred.
const elements = document.getElementsByClassName('pictures');
const pictures = [];
function picture(number) {
  const i = Math.floor((number - 1) / 200);
  pictures[i] ||= JSON.parse(elements[i].textContent);
  return pictures[i][(number - 1) % 200];
}

function card(r) {
  const s = summary(r);
  const c = element('article', failed(r) ? 'card failed' : 'card');
  if (r.picture) {
    const img = element('img');
    img.src = picture(r.picture);
    img.alt = '';
    img.width = 320;
    img.height = 180;
    c.append(img);
  }
  const heading = element('h3');
  if (failed(r)) {
    heading.textContent = s.map || r.output;
  } else {
    const link = element('a', '', s.map || r.output);
    link.href = data.base + r.output.split('/').map(encodeURIComponent).join('/');
    heading.append(link);
  }
  c.append(heading);
  if (s.title) c.append(element('div', 'title', s.title));
  c.append(element('div', 'path', r.path));
  if (failed(r)) {
    c.append(element('div', 'reason', r.reason + (r.attempts > 1 ? `, tried ${r.attempts} times` : '')));
    c.append(element('div', 'message', r.message || ''));
  }
  if (!r.summary) return c;
  const list = element('dl');
  const row = (term, value, className) => list.append(element('dt', '', term), element('dd', className, value));
  row('game', `${s.game} (${s.format})`);
  row('size', s.written ? `${size(s.bytes)} → ${size(s.written)}` : size(s.bytes));
  row('faces', `${s.kept.toLocaleString('en')} of ${s.faces.toLocaleString('en')}; ${s.triangles.toLocaleString('en')} triangles`);
  row('light', s.pages ? `${count(s.pages, 'lightmap page')}, ${s.light.toUpperCase()}` : s.carrier === 'vertex' ? 'in vertex colours' : 'none');
  row('materials', s.lacking ? `${s.found} found, ${s.lacking} missing` : `${s.found} found`, s.lacking ? 'warn' : '');
  row('time', seconds(s.seconds));
  c.append(list);
  if (s.missing) c.append(folded(`${s.lacking} missing`, s.missing));
  const issues = Object.entries(s.issues || {}).sort((a, b) => b[1] - a[1]).map(([code, n]) => `${n} ${code}`);
  if (issues.length) c.append(folded(`${count(issues.length, 'kind')} of issues`, issues));
  return c;
}

function folded(title, lines) {
  const d = element('details');
  d.append(element('summary', '', title));
  const list = element('ul');
  for (const l of lines) list.append(element('li', '', l));
  d.append(list);
  return d;
}

let chosen = [];
let shown = 0;

function choose() {
  const words = $('search').value.toLowerCase().split(/\s+/).filter(Boolean);
  const keep = filters[$('filter').value];
  const game = $('game').value;
  if (words.length) haystack ||= data.records.map(text);
  chosen = data.records.filter((r, i) => keep(r) && (!game || summary(r).game === game) && words.every((w) => haystack[i].includes(w)));
  chosen.sort(orders[$('order').value]);
  $('list').replaceChildren();
  shown = 0;
  more();
  $('count').textContent = `${chosen.length} of ${data.records.length} maps`;
}

function more() {
  $('list').append(...chosen.slice(shown, shown + step).map(card));
  shown = Math.min(shown + step, chosen.length);
  $('more').hidden = shown === chosen.length;
}

// totals lists what is missing by game. The numbers count a material once for each map that lacks it, as the program does when a batch ends.
function totals() {
  const games = new Map();
  let lacking = 0;
  let maps = 0;
  for (const r of data.records) {
    const s = r.summary;
    if (!s) continue;
    const g = games.get(s.game) || { maps: 0, lacking: 0, missing: new Map() };
    games.set(s.game, g);
    g.maps++;
    g.lacking += s.lacking || 0;
    lacking += s.lacking || 0;
    maps += s.lacking > 0;
    for (const m of s.missing || []) g.missing.set(m, (g.missing.get(m) || 0) + 1);
  }
  $('missing').hidden = !lacking;
  $('sum').textContent = `${count(lacking, 'material')} missing in ${count(maps, 'map')}, by game`;
  for (const [game, g] of [...games].sort((a, b) => b[1].lacking - a[1].lacking)) {
    const option = element('option', '', game);
    option.value = game;
    $('game').append(option);
    const row = element('tr');
    row.append(element('td', '', game), element('td', 'n', g.maps), element('td', 'n', g.lacking));
    const cell = element('td');
    const most = [...g.missing].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
    if (most.length) {
      const lines = most.slice(0, 500).map(([m, n]) => `${m} (${count(n, 'map')})`);
      if (most.length > 500) lines.push(`and ${most.length - 500} more`);
      cell.append(folded(count(most.length, 'name'), lines));
    }
    row.append(cell);
    $('totals').append(row);
  }
}

// records unpacks the cards.
async function records() {
  const packed = atob($('cards').textContent);
  const bytes = new Uint8Array(packed.length);
  for (let i = 0; i < packed.length; i++) bytes[i] = packed.charCodeAt(i);
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).json();
}

records().then((all) => {
  data.records = all;
  const bad = all.filter(failed).length;
  document.title = `${all.length} ${all.length === 1 ? 'map' : 'maps'}, ${bad} failed`;
  $('heading').textContent = document.title;
  totals();
  for (const id of ['search', 'filter', 'game', 'order']) $(id).addEventListener('input', choose);
  $('more').addEventListener('click', more);
  choose();
}, (e) => { $('heading').textContent = `This browser can't unpack the page: ${e.message}`; });
