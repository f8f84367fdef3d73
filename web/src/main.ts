// The page: what is shown for each address, files that are opened or dragged in, light and dark.

import { engineFiles, embedded } from './embedded';
import { EngineError } from './engine/client';
import { lessons } from './lessons';
import { openRun, servedRun } from './run/open';
import { sample } from './scenes';
import { unpack } from './share';
import { gallery } from './ui/gallery';
import { header } from './ui/header';
import { lessonList } from './ui/lesson';
import { toast } from './ui/dom';
import { currentTheme, onThemeChange } from './ui/theme';
import { Workbench } from './ui/workbench';
import type { Stage } from './view/stage';
import type { SceneSource } from './engine/types';

const app = document.getElementById('app')!;
let workbench: Workbench | null = null;
/** The picture that is shown. */
let stage: Stage | null = null;
const place = document.createElement('div');
place.className = 'place';

/** The largest file that is looked at, bytes. */
const LARGEST_FILE = 4 << 20;

function bench(): Workbench {
  workbench ??= new Workbench(engineFiles(), currentTheme());
  place.replaceChildren(workbench.root);
  stage = workbench.stage;
  return workbench;
}

function title(text: string): void {
  document.title = text ? `${text} – carom` : 'carom';
}

async function show(source: SceneSource, lesson: string | null = null): Promise<void> {
  const used = bench();
  await used.open(source, lesson);
  title(used.title);
}

/** A page of its own for each address. */
async function route(): Promise<void> {
  try {
    const fragment = decodeURIComponent(location.hash.slice(1));
    if (fragment.startsWith('s=')) {
      const shared = await unpack(location.hash.slice(3));
      return await show({ ...shared });
    }
    const [, kind, name] = /^\/(scene|lesson|lessons|run|own)(?:\/(.*))?$/.exec(fragment) ?? [];
    if (kind === 'scene') {
      const found = sample(name ?? '');
      if (!found) throw new Error(`there is no scene “${(name ?? '').slice(0, 60)}”`);
      return await show({ name: `${found.name}.toml`, text: found.text, files: found.files });
    }
    if (kind === 'lesson') {
      const lesson = lessons.find((one) => one.id === name);
      if (!lesson) throw new Error('there is no such lesson');
      return await show(lesson.scene(), lesson.id);
    }
    if (kind === 'lessons') {
      workbench?.leave();
      place.replaceChildren(lessonList());
      return title('Lessons');
    }
    if (kind === 'own' && workbench?.title) return void place.replaceChildren(workbench.root);
    if (kind === 'run') return await openRun(place, (opened) => (stage = opened));
  } catch (error) {
    toast(`This cannot be opened: ${reason(error)}`, 'error');
  }
  workbench?.leave();
  place.replaceChildren(gallery(chooseFile));
  title('');
}

function chooseFile(): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.accept = '.toml,.json,.obj,.stl,.csv';
  input.multiple = true;
  input.addEventListener('change', () => void openFiles([...(input.files ?? [])]));
  input.click();
}

/** Opens a scene, with the tables and meshes that were chosen with it. */
async function openFiles(files: File[]): Promise<void> {
  const scene = files.find((file) => /\.(toml|json)$/i.test(file.name));
  if (!scene) return toast('A scene is a file whose name ends in .toml or .json', 'error');
  if (scene.size > LARGEST_FILE) {
    return toast(`${scene.name} has ${scene.size.toLocaleString('en')} bytes; a scene may have at most ${LARGEST_FILE.toLocaleString('en')}`, 'error');
  }
  const others: [string, string][] = [];
  for (const file of files) {
    if (file === scene) continue;
    if (file.size > 16 * LARGEST_FILE) return toast(`${file.name} is too large`, 'error');
    others.push([file.name, await file.text()]);
  }
  await openText(scene.name, await scene.text(), others);
}

/** What is wrong, in one line: of a scene that cannot be read, its first error. */
function reason(error: unknown): string {
  const first = error instanceof EngineError ? error.value.problems?.[0] : undefined;
  if (first) return `${first.line === null ? '' : `line ${first.line}: `}${first.message}`;
  return error instanceof Error ? error.message : String(error);
}

async function openText(name: string, text: string, files: [string, string][]): Promise<void> {
  history.replaceState(null, '', '#/own');
  try {
    await show({ name, text, files });
  } catch (error) {
    // The editor shows what is wrong, where it is.
    bench().edit({ name, text, files });
    toast(`${name} cannot be run: ${reason(error)}`, 'error');
  }
}

/** For tests: what the picture shows. */
const tested = {
  /** Where a body is in it, pixels. */
  screen: (id: number) => {
    const place = stage?.position(id);
    return place ? stage!.camera.toScreen(place) : null;
  },
  /** Where a place of the world (m) is in it, pixels. */
  place: (at: number[]) => stage?.camera.toScreen(at) ?? null,
  /** Where the tip of a body's velocity is in it, pixels. */
  tip: (id: number) => workbench?.annotations.tip(id) ?? null,
  /** The numbers and names of all bodies. */
  bodies: () => stage?.bodies.map(({ id, name }) => ({ id, name })) ?? [],
  /** Where a body is and how it moves, m and m/s; `null` where it is not there. */
  state: (id: number) => {
    const [position, velocity] = [stage?.position(id), stage?.velocity(id)];
    return position && velocity ? { position, velocity } : null;
  },
  /** How a body of the plane is turned, rad. */
  turn: (id: number) => stage?.numbers[5 * id + 2] ?? null,
  /** The width of a pixel, m. */
  pixel: () => stage?.camera.pixel ?? 0,
  /** When the first picture of a scene was drawn, ms after the page was asked for. */
  firstPicture: () => stage?.firstDrawn ?? null,
  /** How many pictures have been drawn. */
  pictures: () => stage?.drawn ?? 0,
};
Object.assign(window, { caromTest: tested });

async function start(): Promise<void> {
  app.append(header(chooseFile, () => workbench), place);
  onThemeChange((theme) => workbench?.setTheme(theme));
  window.addEventListener('hashchange', () => void route());
  document.addEventListener('dragover', (event) => event.preventDefault());
  document.addEventListener('drop', (event) => {
    event.preventDefault();
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length > 0) void openFiles(files);
  });
  const own = embedded();
  if (own) return show(own);
  // A scene that the command serves has no address of its own: loaded again, the page asks for it again.
  if (location.hash.length > 1 && location.hash !== '#/own') return route();
  const served = await servedRun();
  if (served?.kind === 'run') {
    location.hash = '#/run';
    return;
  }
  if (served?.kind === 'scene') return openText(served.name, served.text, served.files);
  return route();
}

void start();
