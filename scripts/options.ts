import { parseArgs } from 'node:util';

interface Option {
  /** What it is where nobody says; a function makes something up. */
  readonly default: string | (() => string);
  /** What it is for, in a few words. */
  readonly says: string;
}

interface Program<Name extends string> {
  /** How people start it: `npm run bench`. */
  readonly command: string;
  /** What it does, in a sentence. */
  readonly does: string;
  readonly options: Readonly<Record<Name, Option>>;
}

/**
 * The options that a program was given. Ends the process with the usage where that is asked for, and with one more line
 * where something else was given.
 */
export function readOptions<Name extends string>(program: Program<Name>): Record<Name, string> {
  const config = Object.entries<Option>(program.options).map(
    ([name, option]) => [name, { type: 'string', default: initialOf(option) }] as const,
  );
  try {
    const { values } = parseArgs({
      options: { ...Object.fromEntries(config), help: { type: 'boolean' } },
    });
    if (!values.help) return values as Record<Name, string>;
  } catch (error) {
    const [what] = (error as Error).message.split('\n');
    console.error(`${what}\n\n${usageOf(program)}`);
    process.exit(2);
  }
  console.log(usageOf(program));
  process.exit(0);
}

const initialOf = ({ default: initial }: Option): string =>
  typeof initial === 'string' ? initial : initial();

const shownDefault = ({ default: initial }: Option): string =>
  typeof initial === 'string' ? initial && ` (${initial})` : ' (random)';

function usageOf({ command, does, options }: Program<string>): string {
  const lines = Object.entries(options).map(
    ([name, option]) => `  --${name.padEnd(10)} ${option.says}${shownDefault(option)}`,
  );
  return [`Usage: ${command} -- [options]`, does, ...lines].join('\n');
}
