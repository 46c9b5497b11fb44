import { parseArgs } from 'node:util';
import { accessOf, accessOptions, sandboxOnly } from '../api/access.ts';
import { createClient } from '../api/client.ts';
import type { AccessSettings } from '../config/env.ts';
import { PlainFailure } from '../kernel/plain-failure.ts';
import { type EventCode, recipes } from '../trigger/recipes.ts';
import { trigger } from '../trigger/trigger.ts';

export const TRIGGER_USAGE =
  '       npm run florin -- trigger EVENT | --list [--key KEY] [--host URL]';

export interface TriggerContext {
  readonly settings: AccessSettings;
  readonly say: (sentence: string) => void;
}

/** Makes real records in the sandbox that lead to an event, and says what was made and told. Resolves with the exit code. */
export async function triggerCommand(words: string[], context: TriggerContext): Promise<number> {
  const { settings, say } = context;
  const { code, list, ...given } = parse(words);
  if (list) {
    for (const [name, recipe] of Object.entries(recipes)) {
      say(`${name.padEnd(WIDTH)} ${'refused' in recipe ? `– ${recipe.refused}` : recipe.makes}`);
    }
    return 0;
  }
  const { made, told } = await trigger(
    createClient(
      sandboxOnly(accessOf(given, settings), 'Only the sandbox is made to tell of events'),
    ),
    code,
  );
  for (const { type, id } of made) say(`made  ${type} ${id}`);
  for (const event of told) say(`told  ${event.code} ${event.id}`);
  return 0;
}

const WIDTH = Math.max(...Object.keys(recipes).map((code) => code.length));

function parse(words: string[]) {
  const { positionals, values } = parsed(words);
  const [code = '', ...rest] = positionals;
  if (values.list && positionals.length === 0) return { ...values, code: code as EventCode };
  if (!code || rest.length > 0) throw new PlainFailure(`Usage:\n${TRIGGER_USAGE}`);
  if (!Object.hasOwn(recipes, code)) {
    throw new PlainFailure('There is no such event: `npm run florin -- trigger --list` shows all.');
  }
  return { ...values, code: code as EventCode };
}

function parsed(words: string[]) {
  const options = { list: { type: 'boolean' }, ...accessOptions } as const;
  try {
    return parseArgs({ args: words, allowPositionals: true, options });
  } catch {
    throw new PlainFailure(`Usage:\n${TRIGGER_USAGE}`);
  }
}
