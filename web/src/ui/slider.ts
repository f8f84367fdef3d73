// A slider that makes a change when it is let go, and shows its value while it moves.

import { figures, h } from './dom';

export interface SliderOptions {
  id: string;
  label: string;
  value: number;
  min: number;
  max: number;
  step: number;
  unit: string;
  change: (value: number) => void;
  /** Whether equal steps are equal factors: to round numbers, of two figures. */
  logarithmic?: boolean;
}

export function slider(options: SliderOptions): HTMLElement {
  const { id, label, value, unit, logarithmic } = options;
  const [to, from] = logarithmic ? [Math.log10, (x: number) => +(10 ** x).toPrecision(2)] : [(x: number) => x, (x: number) => x];
  const words = (number: number) => `${figures(number, 4)} ${unit}`;
  const shown = h('output', { text: words(value), attributes: { for: id } });
  const input = h('input', {
    attributes: { type: 'range', id, min: to(Math.min(options.min, value)), max: to(Math.max(options.max, value)), step: options.step, value: to(value), 'aria-valuetext': words(value) },
    on: {
      input: () => {
        shown.textContent = words(from(Number(input.value)));
        input.setAttribute('aria-valuetext', shown.textContent);
      },
      change: () => options.change(from(Number(input.value))),
    },
  });
  return h('div', { class: 'slider' }, h('label', { text: label, attributes: { for: id } }), input, shown);
}
