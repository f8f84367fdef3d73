// Light and dark: as the system has it, or as it was chosen.

import { DARK, LIGHT, type Theme } from '../view/palette';

type Choice = 'light' | 'dark' | null;

const listeners: ((theme: Theme) => void)[] = [];
const system = window.matchMedia('(prefers-color-scheme: dark)');

function stored(): Choice {
  try {
    const choice = localStorage.getItem('carom-theme');
    return choice === 'light' || choice === 'dark' ? choice : null;
  } catch {
    return null;
  }
}

let choice: Choice = stored();

export function currentTheme(): Theme {
  const dark = choice ? choice === 'dark' : system.matches;
  return dark ? DARK : LIGHT;
}

function apply(): void {
  const theme = currentTheme();
  document.documentElement.dataset.theme = theme.dark ? 'dark' : 'light';
  for (const listener of listeners) listener(theme);
}

export function toggleTheme(): void {
  choice = currentTheme().dark ? 'light' : 'dark';
  try {
    localStorage.setItem('carom-theme', choice);
  } catch {
    // A page from a file may not store anything.
  }
  apply();
}

export function onThemeChange(listener: (theme: Theme) => void): void {
  listeners.push(listener);
}

/** Whether moving pictures should not begin by themselves. */
export function calm(): boolean {
  return window.matchMedia('(prefers-reduced-motion: reduce)').matches;
}

system.addEventListener('change', apply);
apply();
