import { Client } from './client.ts';
import type { FlorinOptions } from './options.ts';

export type { SdkEventDetail, SdkEventName } from '@florin/contract/protocol/frame.ts';
export type { FlorinError, FlorinEvent, FlorinHandler } from './events.ts';
export type { FlorinOptions } from './options.ts';

/** The payment form's client, as an ES module. */
export class Florin extends Client {
  constructor(publishableKey: string, options: FlorinOptions = {}) {
    super(publishableKey, options, import.meta.url);
  }
}
