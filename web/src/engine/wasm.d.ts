export class Refused extends Error {
  constructor(value: unknown);
  value: { error: string; problems?: import('./types').Problem[]; text?: string };
}

export class Engine {
  static from(source: BufferSource | WebAssembly.Module): Promise<Engine>;
  call(request: Record<string, unknown>): { value: unknown; numbers: Float64Array };
  ahead(events: number): number;
  frame(time: number): { time: number; numbers: Float32Array<ArrayBuffer> };
}
