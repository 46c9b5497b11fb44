import type { FrameConfig } from '@florin/contract/protocol/frame.ts';

/** Reads the configuration that the server embedded in the document. Throws on other documents. */
export function readConfig(): FrameConfig {
  const text = document.getElementById('florin-config')?.textContent;
  if (!text) throw new Error('The payment form has no configuration.');
  return JSON.parse(text) as FrameConfig;
}

/** Returns a clock of the server's time in milliseconds, based on `issued_at` of the document. */
export function serverClock({ issued_at }: FrameConfig): () => number {
  const aheadMs = issued_at * 1000 - Date.now();
  return () => Date.now() + aheadMs;
}
