// What does not fit on the page, as one string a flaw. The body of a function.
const flaws = [];
const SLACK = 1.5;
// The part of a box that the scrolling boxes around an element let through; `null` if there is none.
const within = (element, box) => {
  let { left, top, right, bottom } = box;
  for (let around = element; around && around !== document.body; around = around.parentElement) {
    if (getComputedStyle(around).overflowY === 'visible') continue;
    const area = around.getBoundingClientRect();
    left = Math.max(left, area.left); right = Math.min(right, area.right);
    top = Math.max(top, area.top); bottom = Math.min(bottom, area.bottom);
  }
  return left < right && top < bottom ? { left, top, right, bottom } : null;
};
const name = element => {
  const parts = [];
  for (let one = element; one && one !== document.body && parts.length < 3; one = one.parentElement) {
    parts.unshift(one.localName + [...one.classList].map(part => '.' + part).join(''));
  }
  return parts.join(' > ');
};
const shown = element => {
  if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false;
  const box = element.getBoundingClientRect();
  return box.width > 1 && box.height > 1;
};

if (document.documentElement.scrollWidth > innerWidth) {
  flaws.push(`the page is ${document.documentElement.scrollWidth} wide in ${innerWidth}`);
}
for (const one of document.querySelectorAll('[style]')) flaws.push(`a style attribute: ${name(one)}`);

// The regions of the page lie beside each other.
const regions = ['.bar', '.story', '.stage-panel:not(.pair)', '.insp', '.verdicts', '.transport', '.compare-bar', '.side:nth-of-type(1)', '.side:nth-of-type(2)', '.diagram-panel', '.diagram-panel + .diagram-panel']
  .map(css => document.querySelector(css))
  .filter(one => one && shown(one));
for (const [ix, one] of regions.entries()) {
  for (const other of regions.slice(ix + 1)) {
    const a = one.getBoundingClientRect(), b = other.getBoundingClientRect();
    const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (wide > SLACK && high > SLACK) flaws.push(`${name(one)} and ${name(other)} overlap by ${wide | 0}×${high | 0}`);
  }
}

// Every text is inside of every box around it that clips, and of its own; a box that scrolls may hide what is below.
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
const texts = [];
for (let text = walker.nextNode(); text; text = walker.nextNode()) {
  const own = text.parentElement;
  if (!text.data.trim() || own.closest('select, .hidden, noscript') || !shown(own)) continue;
  const range = document.createRange();
  range.selectNodeContents(text);
  const box = range.getBoundingClientRect();
  const said = text.data.trim().slice(0, 40);
  const drawn = own.closest('svg');
  const seen = within(own, box);
  if (!drawn && seen) texts.push({ own, box: seen, said });
  for (let around = own; around && around !== document.body; around = around.parentElement) {
    if (drawn && around !== drawn && drawn.contains(around)) continue;
    const style = getComputedStyle(around);
    if (style.display === 'inline' || style.display === 'contents') continue;
    const clips = around === drawn || style.overflowX !== 'visible' || around === own;
    const area = around.getBoundingClientRect();
    if (clips && (box.left < area.left - SLACK || box.right > area.right + SLACK)) {
      flaws.push(`“${said}” sticks out of ${name(around)} by ${Math.max(area.left - box.left, box.right - area.right) | 0} sideways`);
      break;
    }
    const scrolls = /auto|scroll/.test(style.overflowY);
    if (clips && !scrolls && (box.top < area.top - 3 || box.bottom > area.bottom + 3)) {
      flaws.push(`“${said}” sticks out of ${name(around)} by ${Math.max(area.top - box.top, box.bottom - area.bottom) | 0} up or down`);
      break;
    }
    if (style.overflowX !== 'visible' && around.scrollWidth > around.clientWidth + 1
      || /hidden|clip/.test(style.overflowY) && around.scrollHeight > around.clientHeight + 1) {
      flaws.push(`“${said}” is cut in ${name(around)}: ${around.scrollWidth}×${around.scrollHeight} in ${around.clientWidth}×${around.clientHeight}`);
      break;
    }
  }
}

// No text lies on another. What floats above the page on purpose is left out.
const flat = texts.filter(({ own }) => !own.closest('.menu, dialog, .tools.open') && !(own.closest('.drive') && getComputedStyle(own.closest('.drive')).position === 'fixed'));
for (const [ix, one] of flat.entries()) {
  for (const other of flat.slice(ix + 1)) {
    const wide = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
    const high = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
    if (wide > 2 && high > 4 && !one.own.contains(other.own) && !other.own.contains(one.own)) {
      flaws.push(`“${one.said}” in ${name(one.own)} lies on “${other.said}” in ${name(other.own)} by ${wide | 0}×${high | 0}`);
    }
  }
}
return flaws;
