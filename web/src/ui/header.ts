// The bar at the top.

import { button, h } from './dom';
import { showHelp } from './help';
import { toggleTheme } from './theme';
import type { Workbench } from './workbench';

export function header(open: () => void, bench: () => Workbench | null): HTMLElement {
  return h(
    'header',
    { class: 'bar' },
    h('a', { class: 'skip', text: 'Skip to the content', attributes: { href: '#main' }, on: { click: (event) => { event.preventDefault(); document.getElementById('main')?.focus(); } } }),
    h('a', { class: 'logo', attributes: { href: '#/', 'aria-label': 'carom: all scenes' } }, h('span', { class: 'logo-mark', attributes: { 'aria-hidden': 'true' } }), 'carom'),
    h(
      'nav',
      { attributes: { 'aria-label': 'Pages' } },
      h('a', { text: 'Scenes', attributes: { href: '#/' } }),
      h('a', { text: 'Lessons', attributes: { href: '#/lessons' } }),
    ),
    h('span', { class: 'space' }),
    button({ label: 'Open', icon: 'open', class: 'quiet', key: 'o', press: open }),
    button({ label: 'Share', icon: 'share', class: 'quiet share', press: () => void bench()?.share() }),
    button({ label: 'Light or dark', icon: 'theme', iconOnly: true, class: 'quiet', press: toggleTheme }),
    button({ label: 'Keys and help', icon: 'help', iconOnly: true, class: 'quiet', key: '?', press: showHelp }),
  );
}
