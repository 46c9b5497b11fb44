import { Client } from './client.ts';
import type { FlorinOptions } from './options.ts';

const script = globalThis.document?.currentScript as HTMLScriptElement | null | undefined;
const script_url = script?.src;

class Florin extends Client {
  constructor(publishableKey: string, options: FlorinOptions = {}) {
    super(publishableKey, options, script_url);
  }
}

// Pages written for the earlier interface use the name `Edge`.
Object.assign(globalThis, { Florin, Edge: Florin });
