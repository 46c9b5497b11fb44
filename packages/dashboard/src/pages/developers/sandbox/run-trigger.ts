import type { ApiRecord } from '@florin/contract/triggers/interface.ts';
import type { EventCode } from '@florin/contract/triggers/recipes.ts';
import { type TriggerResult, trigger } from '@florin/contract/triggers/trigger.ts';
import { callInterface } from '../../../api/client.ts';
import { newKey } from '../../../api/keys.ts';
import type { Document, Scope } from '../../../api/types.ts';

/** Triggers an event with the permissions of the signed-in person. Each write has an idempotency key. */
export const runTrigger = (scope: Scope, code: EventCode): Promise<TriggerResult> =>
  trigger(
    {
      newKey,
      now_ms: Date.now,
      pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      list: async (path) =>
        (await callInterface<Document<readonly ApiRecord[]>>(scope, path)).document,
      send: async (method, path, data) => {
        const write = method === 'GET' ? {} : { idempotency_key: newKey() };
        const options = { method, ...write, ...(data && { body: { data } }) };
        return (await callInterface<Document<ApiRecord>>(scope, path, options)).document.data;
      },
    },
    code,
  );
