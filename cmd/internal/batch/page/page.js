'use strict';
// All that comes from maps is set as text, never as markup.
const $ = (id) => document.getElementById(id);
const base = JSON.parse($('base').textContent);
const about = JSON.parse($('summary').textContent); // what the page says of all maps
const step = 200; // cards at a time, and in each element

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
    link.href = base + r.output.split('/').map(encodeURIComponent).join('/');
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

// Elements hold the cards, failures first, then by name. They are unpacked when they are needed.
const parts = document.getElementsByClassName('cards');
const records = [];
let unpacked = 0;
let turn = Promise.resolve(); // one unpacks at a time

// load unpacks cards until there are so many.
function load(wanted) {
  turn = turn.then(async () => {
    for (; unpacked < parts.length && records.length < wanted; unpacked++) {
      const packed = atob(parts[unpacked].textContent);
      const bytes = new Uint8Array(packed.length);
      for (let i = 0; i < packed.length; i++) bytes[i] = packed.charCodeAt(i);
      records.push(...await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).json());
    }
  });
  return turn;
}

let chosen = [];
let shown = 0;
let choices = 0;

// choose shows the first cards of a choice. All cards are unpacked for one that is not the first.
async function choose() {
  const choice = ++choices;
  const words = $('search').value.toLowerCase().split(/\s+/).filter(Boolean);
  const [filter, game, order] = ['filter', 'game', 'order'].map((id) => $(id).value);
  const all = !words.length && filter === 'all' && !game && order === 'failures';
  if (!all && unpacked < parts.length) {
    $('count').textContent = 'reading…';
    await load(Infinity);
    if (choice !== choices) return; // there is a later one
  }
  if (words.length) haystack ||= records.map(text);
  const keep = filters[filter];
  chosen = all ? records : records.filter((r, i) => keep(r) && (!game || summary(r).game === game) && words.every((w) => haystack[i].includes(w)));
  if (!all) chosen.sort(orders[order]);
  $('list').replaceChildren();
  shown = 0;
  more();
  $('count').textContent = `${all ? about.maps : chosen.length} of ${about.maps} maps`;
}

async function more() {
  const choice = choices;
  if (chosen === records && records.length < shown + step && unpacked < parts.length) {
    await load(shown + step);
    if (choice !== choices) return;
  }
  $('list').append(...chosen.slice(shown, shown + step).map(card));
  shown = Math.min(shown + step, chosen.length);
  $('more').hidden = shown === (chosen === records ? about.maps : chosen.length);
}

// totals lists what is missing by game. The numbers count a material once for each map that lacks it, as the program does when a batch ends.
function totals() {
  const sum = (key) => about.games.reduce((n, g) => n + g[key], 0);
  $('missing').hidden = !sum('lacking');
  $('sum').textContent = `${count(sum('lacking'), 'material')} missing in ${count(sum('incomplete'), 'map')}, by game`;
  for (const g of about.games) {
    const option = element('option', '', g.game);
    option.value = g.game;
    $('game').append(option);
    const row = element('tr');
    row.append(element('td', '', g.game), element('td', 'n', g.maps), element('td', 'n', g.lacking));
    const cell = element('td');
    if (g.names) {
      const lines = g.most.map((m) => `${m.name} (${count(m.maps, 'map')})`);
      if (g.names > lines.length) lines.push(`and ${g.names - lines.length} more`);
      cell.append(folded(count(g.names, 'name'), lines));
    }
    row.append(cell);
    $('totals').append(row);
  }
}

document.title = `${about.maps} ${about.maps === 1 ? 'map' : 'maps'}, ${about.failed} failed`;
$('heading').textContent = document.title;
load(5 * step).then(() => {
  totals();
  for (const id of ['search', 'filter', 'game', 'order']) $(id).addEventListener('input', choose);
  $('more').addEventListener('click', more);
  return choose();
}).catch((e) => { $('heading').textContent = `This browser can't unpack the page: ${e.message}`; });
