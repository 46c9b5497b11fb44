import type { FrameConfig } from '@florin/contract/protocol/frame.ts';

/** What the server printed into the document. Throws where this is not the form's document. */
export function readConfig(): FrameConfig {
  const text = document.getElementById('florin-config')?.textContent;
  if (!text) throw new Error('The payment form has no configuration.');
  return JSON.parse(text) as FrameConfig;
}

/** The server's time in milliseconds, reckoned from when it made the document. */
export function serverClock({ issued_at }: FrameConfig): () => number {
  const ahead = issued_at * 1000 - Date.now();
  return () => Date.now() + ahead;
}
