// One file that holds the page, the engine and a scene, and plays without a server.

import { parts } from '../embedded';
import type { SceneSource } from '../engine/types';

async function bytesOf(address: string): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

async function zip(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function base64(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(text);
}

/** JSON that cannot end the element that it is in. */
export function safeJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}

export async function exportPage(source: SceneSource): Promise<Blob> {
  const own = document.getElementById('carom-engine');
  if (own) return new Blob([samePage(source)], { type: 'text/html' });
  const script = document.querySelector<HTMLScriptElement>('script[type=module][src]');
  const style = document.querySelector<HTMLLinkElement>('link[rel=stylesheet]');
  if (!script || !style) throw new Error('the page has no files that could be taken in');
  const [code, css, worker, engine] = await Promise.all([bytesOf(script.src), bytesOf(style.href), bytesOf(parts.worker), bytesOf(parts.engine)]);
  const decoder = new TextDecoder();
  const title = source.name.replace(/[<>&"]/g, '');
  // What runs is in this file alone: nothing may be fetched from anywhere.
  const policy = "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:; style-src 'unsafe-inline'; img-src blob: data:; media-src blob:; worker-src blob:; base-uri 'none'; form-action 'none'";
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${title} – carom</title>
<style>${decoder.decode(css).replaceAll('</style', '<\\/style')}</style>
</head>
<body>
<div id="app"></div>
<script type="application/json" id="carom-scene">${safeJson(source)}</script>
<script type="text/plain" id="carom-worker">${base64(worker)}</script>
<script type="text/plain" id="carom-engine">${base64(await zip(engine))}</script>
<script type="module">${decoder.decode(code).replaceAll('</script', '<\\/script')}</script>
</body>
</html>
`;
  return new Blob([html], { type: 'text/html' });
}

/** From a page that was exported itself: the same, with another scene. */
function samePage(source: SceneSource): string {
  const copy = document.documentElement.cloneNode(true) as HTMLElement;
  copy.querySelector('#app')?.replaceChildren();
  copy.querySelector('#messages')?.remove();
  const scene = copy.querySelector('#carom-scene');
  if (scene) scene.textContent = safeJson(source);
  return `<!doctype html>\n${copy.outerHTML}`;
}
