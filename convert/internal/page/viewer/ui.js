// The page around the picture. Text from a map is set as text, never as markup.

export const $ = (id) => document.getElementById(id);

// visible returns untrusted text with its control characters, including those that reverse text, in readable form.
export const visible = (text) => String(text).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (c) => `\\u${c.codePointAt(0).toString(16).padStart(4, '0')}`);

// make creates an element with properties and children.
export function make(tag, properties = {}, ...children) {
  const e = document.createElement(tag);
  for (const [key, value] of Object.entries(properties)) {
    if (key.startsWith('on')) e.addEventListener(key.slice(2), value);
    else if (key === 'textContent' || key === 'title') e[key] = visible(value);
    else if (key in e && !key.startsWith('aria')) e[key] = value;
    else e.setAttribute(key, value);
  }
  e.append(...children.filter((c) => c !== null && c !== undefined));
  return e;
}

// say shows a message for a while. Screen readers announce it.
export function say(text) {
  $('say').textContent = visible(text);
  clearTimeout(say.timer);
  say.timer = setTimeout(() => { $('say').textContent = ''; }, 4000);
}

export function fail(title, detail) {
  $('load').hidden = true;
  $('error').hidden = false;
  $('error').replaceChildren(make('h2', { textContent: title }), make('p', { textContent: detail }));
  document.body.dataset.state = 'failed';
}

export function toggle(label, checked, onchange, hint = '') {
  const box = make('input', { type: 'checkbox', checked, onchange: () => onchange(box.checked) });
  return make('label', { className: 'toggle', title: hint }, box, make('span', { textContent: label }));
}

export function slider(label, { min, max, step, value, text = (v) => String(v) }, oninput) {
  const shown = make('output', { textContent: text(value) });
  const range = make('input', { type: 'range', min, max, step, value, 'aria-label': label, oninput: () => {
    shown.textContent = text(Number(range.value));
    oninput(Number(range.value));
  } });
  range.show = (v) => {
    range.value = v;
    shown.textContent = text(v);
  };
  return { row: make('div', { className: 'slider' }, make('span', { textContent: label }), range, shown), range };
}

export function choice(label, options, value, onchange) {
  const select = make('select', { 'aria-label': label, onchange: () => onchange(select.value) },
    ...options.map(([v, text]) => make('option', { value: v, textContent: text, selected: v === value })));
  return make('label', { className: 'choice' }, make('span', { textContent: label }), select);
}

export const button = (text, onclick, hint = '') => make('button', { type: 'button', textContent: text, title: hint, onclick });

const SCROLL = ['PageUp', 'PageDown', 'Home', 'End'], ARROWS = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'], PRESS = ['Space', 'Enter', 'NumpadEnter'];

// usesKey reports whether a pressed key belongs to the browser or the focused control rather than the picture: text to fields, Space to
// buttons and check boxes, arrows to sliders, all keys to an open dialog.
export function usesKey({ code, target, ctrlKey, metaKey, altKey }) {
  if (ctrlKey || metaKey || altKey || document.querySelector('dialog[open]')) return true;
  const { tagName = '', type, isContentEditable } = target;
  if (isContentEditable || /^(SELECT|TEXTAREA)$/.test(tagName)) return true;
  if (tagName === 'INPUT' && type === 'range') return ARROWS.includes(code) || SCROLL.includes(code);
  if (tagName === 'INPUT' && type !== 'checkbox') return true;
  if (/^(INPUT|BUTTON|SUMMARY|A)$/.test(tagName) && PRESS.includes(code)) return true;
  return SCROLL.includes(code) && !!target.closest?.('#panel, #detailsBox');
}

// section is a part of the panel that opens and closes.
export function section(title, open, ...children) {
  return make('details', { open }, make('summary', { textContent: title }), ...children);
}

// searchable is a list with a search field. items are { text, more, onclick }; at most most of them are shown at a time.
export function searchable(label, items, most = 200) {
  const list = make('ul', { className: 'list' }), count = make('p', { className: 'note', role: 'status' });
  const field = make('input', { type: 'search', placeholder: label, 'aria-label': label, oninput: fill });
  const low = items.map((i) => `${i.text}\n${i.more ?? ''}\n${i.find ?? ''}`.toLowerCase());
  function fill() {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = items.filter((_, i) => words.every((w) => low[i].includes(w)));
    list.replaceChildren(...found.slice(0, most).map((i) => make('li', {}, make('button', { type: 'button', onclick: i.onclick },
      make('span', { textContent: i.text }), i.more ? make('small', { textContent: i.more }) : null))));
    count.textContent = found.length > most ? `${most} of ${found.length} shown` : `${found.length} of ${items.length}`;
  }
  fill();
  return [field, count, list];
}

// table shows keys and values.
export function table(pairs) {
  return make('table', {}, make('tbody', {}, ...pairs.map(([key, value]) => make('tr', {},
    make('th', { scope: 'row', textContent: key }), make('td', { textContent: typeof value === 'object' ? JSON.stringify(value) : String(value) })))));
}
