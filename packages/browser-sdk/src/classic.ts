import { Client } from './client.ts';
import type { FlorinOptions } from './options.ts';

const script = globalThis.document?.currentScript as HTMLScriptElement | null | undefined;
const script_url = script?.src;

class Florin extends Client {
  constructor(publishableKey: string, options: FlorinOptions = {}) {
    super(publishableKey, options, script_url);
  }
}

// `Edge` is the name that pages written for this interface before already use.
Object.assign(globalThis, { Florin, Edge: Florin });
