// Panels, one at a time.

import { h } from './dom';

export interface Tab {
  id: string;
  label: string;
  root: HTMLElement;
}

export class Tabs {
  readonly root: HTMLElement;
  private buttons = new Map<string, HTMLButtonElement>();
  private readonly place = h('div', { class: 'panel' });
  chosen = '';

  constructor(private readonly tabs: Tab[]) {
    const list = h('div', { class: 'tabs', attributes: { role: 'tablist', 'aria-label': 'Panels' } });
    for (const tab of tabs) {
      const made = h('button', {
        class: 'tab',
        text: tab.label,
        attributes: { type: 'button', role: 'tab', id: `tab-${tab.id}`, 'aria-controls': `tabpanel-${tab.id}`, 'aria-selected': 'false', tabindex: -1 },
        on: { click: () => this.show(tab.id), keydown: (event) => this.move(event) },
      });
      this.buttons.set(tab.id, made);
      list.append(made);
      const panel = h('div', { class: 'tabpanel', attributes: { role: 'tabpanel', id: `tabpanel-${tab.id}`, 'aria-labelledby': `tab-${tab.id}`, tabindex: 0, hidden: true } }, tab.root);
      this.place.append(panel);
    }
    this.root = h('div', { class: 'tabbed' }, list, this.place);
  }

  private visible(): Tab[] {
    return this.tabs.filter((tab) => !this.buttons.get(tab.id)!.hidden);
  }

  private move(event: KeyboardEvent): void {
    const visible = this.visible();
    const at = visible.findIndex((tab) => tab.id === this.chosen);
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    event.stopPropagation();
    const next = visible[(at + step + visible.length) % visible.length]!;
    this.show(next.id);
    this.buttons.get(next.id)!.focus();
  }

  show(id: string): void {
    if (!this.buttons.has(id)) return;
    this.chosen = id;
    for (const tab of this.tabs) {
      const on = tab.id === id;
      const made = this.buttons.get(tab.id)!;
      made.setAttribute('aria-selected', String(on));
      made.tabIndex = on ? 0 : -1;
      const panel = tab.root.parentElement!;
      panel.hidden = !on;
      if (on) tab.root.dispatchEvent(new Event('shown'));
    }
  }

  /** The panel of a number from 1 on. */
  showNumber(number: number): void {
    const tab = this.visible()[number - 1];
    if (tab) this.show(tab.id);
  }

  toggle(id: string, on: boolean): void {
    const made = this.buttons.get(id);
    if (made) made.hidden = !on;
  }
}
