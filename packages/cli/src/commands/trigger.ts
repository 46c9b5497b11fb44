import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { TriggerFailure } from '@florin/contract/triggers/interface.ts';
import { type EventCode, recipes } from '@florin/contract/triggers/recipes.ts';
import { type TriggerResult, trigger } from '@florin/contract/triggers/trigger.ts';
import { accessOf, accessOptions, sandboxOnly } from '../api/access.ts';
import { type ApiClient, createClient } from '../api/client.ts';
import type { AccessSettings } from '../config/env.ts';
import { PlainFailure } from '../kernel/plain-failure.ts';

export const TRIGGER_USAGE = [
  '       npm run florin -- trigger EVENT | --list [--key KEY] [--host URL]',
  '           creates sandbox records that cause an event; --list shows all events',
].join('\n');

export interface TriggerContext {
  readonly settings: AccessSettings;
  readonly print: (sentence: string) => void;
}

/** Creates real sandbox records that lead to an event, and prints records and events. Resolves with the exit code. */
export async function triggerCommand(words: string[], context: TriggerContext): Promise<number> {
  const { settings, print } = context;
  const { code, list, ...givenAccess } = parse(words);
  if (list) {
    for (const [name, recipe] of Object.entries(recipes)) {
      print(`${name.padEnd(WIDTH)} ${'refused' in recipe ? `– ${recipe.refused}` : recipe.makes}`);
    }
    return 0;
  }
  const access = sandboxOnly(
    accessOf(givenAccess, settings),
    'Events can only be triggered in the sandbox',
  );
  const { made, events } = await triggerEvent(createClient(access), code);
  for (const { type, id } of made) print(`created  ${type} ${id}`);
  for (const event of events) print(`event    ${event.code} ${event.id}`);
  return 0;
}

async function triggerEvent(client: ApiClient, code: EventCode): Promise<TriggerResult> {
  try {
    return await trigger(
      { ...client, pause: (ms) => sleep(ms), now_ms: Date.now, newKey: randomUUID },
      code,
    );
  } catch (error) {
    throw error instanceof TriggerFailure ? new PlainFailure(error.message) : error;
  }
}

const WIDTH = Math.max(...Object.keys(recipes).map((code) => code.length));

function parse(words: string[]) {
  const { positionals, values } = parseWords(words);
  const [code = '', ...rest] = positionals;
  if (values.list && positionals.length === 0) return { ...values, code: code as EventCode };
  if (!code || rest.length > 0) throw new PlainFailure(`Usage:\n${TRIGGER_USAGE}`);
  if (!Object.hasOwn(recipes, code)) {
    throw new PlainFailure(
      'Unknown event. List all events with `npm run florin -- trigger --list`.',
    );
  }
  return { ...values, code: code as EventCode };
}

function parseWords(words: string[]) {
  const options = { list: { type: 'boolean' }, ...accessOptions } as const;
  try {
    return parseArgs({ args: words, allowPositionals: true, options });
  } catch {
    throw new PlainFailure(`Usage:\n${TRIGGER_USAGE}`);
  }
}
