// One action on a long run, and the frame that shows it. The body of a function with `action` and `share` before it.
const diagram = document.querySelector('.diagram-drawing');
const frame = () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
const step = () => Number(document.querySelector('.when span').textContent.replace(/\D/g, ''));
const actions = {
  nothing: () => {},
  step: () => dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true, cancelable: true })),
  scrub: () => {
    const whole = diagram.getBoundingClientRect(), left = whole.left + 140;
    const clientX = left + share * (whole.right - 20 - left), clientY = whole.top + 20;
    diagram.dispatchEvent(new PointerEvent('pointerdown', { clientX, clientY, pointerId: 1, bubbles: true }));
  },
};
return (async () => {
  const from = step(), start = performance.now();
  actions[action]();
  // Yew draws in microtasks; style and layout follow when somebody asks for them.
  for (let turn = 0; turn < 20; turn += 1) await null;
  document.body.offsetHeight;
  const wall = performance.now() - start;
  await frame();
  return { from, to: step(), wall, len: Number(diagram.querySelector('[role=slider]').getAttribute('aria-valuemax')) };
})();
