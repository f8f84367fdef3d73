// What `carom play` was given: a scene, or the folder of a run.

import type { Stage } from '../view/stage';
import { RunView } from './view';

export type Served = { kind: 'scene'; name: string; text: string; files: [string, string][] } | { kind: 'run' };

/** What the command serves besides the page; `null` on any other host. */
export async function servedRun(): Promise<Served | null> {
  const kind = document.querySelector<HTMLMetaElement>('meta[name=carom-served]')?.content;
  if (kind === 'run') return { kind };
  if (kind !== 'scene') return null;
  const response = await fetch('./served/scene.json');
  if (!response.ok) return null;
  const scene = (await response.json()) as { name: string; text: string; files: [string, string][] };
  return { kind, ...scene };
}

export async function openRun(place: HTMLElement, shown: (stage: Stage) => void): Promise<void> {
  if ((await servedRun())?.kind !== 'run') throw new Error('this page was not opened by carom play with a run folder');
  const view = new RunView('./served/run/');
  place.replaceChildren(view.root);
  shown(view.stage);
  await view.open();
}
