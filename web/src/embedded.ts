// Where the engine comes from: files beside the page, or, in an exported page, the page itself.

import workerUrl from './engine/worker?worker&url';
import type { EngineFiles } from './engine/client';
import type { SceneSource } from './engine/types';

function inside(id: string): string | null {
  return document.getElementById(id)?.textContent?.trim() || null;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

/** The scene that an exported page carries; `null` in any other. */
export function embedded(): SceneSource | null {
  const text = inside('carom-scene');
  return text ? (JSON.parse(text) as SceneSource) : null;
}

let files: EngineFiles | null = null;

export function engineFiles(): EngineFiles {
  if (files) return files;
  const module = inside('carom-engine');
  const worker = inside('carom-worker');
  if (module && worker) {
    const code = new Blob([new TextDecoder().decode(fromBase64(worker))], { type: 'text/javascript' });
    files = { module: unzip(fromBase64(module)).then((bytes) => WebAssembly.compile(bytes)), worker: URL.createObjectURL(code) };
  } else {
    files = { module: compile('./engine/carom.wasm'), worker: workerUrl };
  }
  return files;
}

async function unzip(bytes: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer> {
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
}

async function compile(address: string): Promise<WebAssembly.Module> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  const type = response.headers.get('Content-Type') ?? '';
  // Some hosts do not know what .wasm is.
  if (type.startsWith('application/wasm')) return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

/** The addresses of what an exported page needs. */
export const parts = { engine: './engine/carom.wasm', worker: workerUrl };
