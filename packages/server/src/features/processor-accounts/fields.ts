import { type Problem, ProblemError } from '@florin/contract/errors.ts';
import type { Mode } from '@florin/contract/protocol/vault.ts';
import type { AccountField, ProcessorMetadata } from '../../processors/port/metadata.ts';

/** Values of an account's fields, as an operator enters them. Null removes a value. */
export interface FieldValues {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, unknown>>;
}

/** Fields that are stored already. */
export interface StoredFields {
  readonly settings: Readonly<Record<string, string>>;
  readonly secret_names: readonly string[];
}

const SETTING_CHARS_MAX = 500;
/** Minimum of secrets whose processor documents no form. */
const SECRET_CHARS_MIN = 8;
const SECRET_CHARS_MAX = 8_192;

/** All settings after a change, and the changed secrets. */
export interface CheckedFields {
  readonly settings: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, string | null>>;
}

/**
 * Checks the values of an account of a mode against the fields of its processor. Throws 422 that names every wrong
 * field, and repeats no value.
 */
export function checkFields(
  { display_name, fields }: Pick<ProcessorMetadata, 'display_name' | 'fields'>,
  mode: Mode,
  values: FieldValues,
  stored: StoredFields = { settings: {}, secret_names: [] },
): CheckedFields {
  const problems = [
    ...problemsOf('settings', values.settings, fields, mode),
    ...problemsOf('secrets', values.secrets, fields, mode),
  ];
  if (problems.length > 0) throw new ProblemError(problems);
  const settings = withoutNulls({ ...stored.settings, ...values.settings });
  const secrets = values.secrets as Readonly<Record<string, string | null>>;
  const present = { ...settings, ...withoutNulls({ ...namesOf(stored), ...secrets }) };
  const missing = fields.filter(({ name, required }) => required && !Object.hasOwn(present, name));
  if (missing.length === 0) return { settings, secrets };
  throw new ProblemError(
    missing.map((field) =>
      problemAt(field.secret ? 'secrets' : 'settings', field.name, {
        code: 'blank',
        predicate: `is required: ${display_name} needs it`,
      }),
    ),
  );
}

type Kind = 'settings' | 'secrets';

const namesOf = ({ secret_names }: StoredFields): Record<string, string> =>
  Object.fromEntries(secret_names.map((name) => [name, name]));

const withoutNulls = (values: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== null),
  );

function problemsOf(
  kind: Kind,
  values: Readonly<Record<string, unknown>>,
  fields: readonly AccountField[],
  mode: Mode,
): Problem[] {
  return Object.entries(values).flatMap(([name, value]) => {
    const field = fields.find((candidate) => candidate.name === name);
    const isOwn = field?.secret === (kind === 'secrets');
    const fault = field && isOwn ? faultOf(field, value, mode) : unknownField(kind, field, fields);
    return fault ? [problemAt(kind, name, fault)] : [];
  });
}

interface Fault {
  readonly code: Problem['code'];
  readonly predicate: string;
}

function unknownField(
  kind: Kind,
  field: AccountField | undefined,
  fields: readonly AccountField[],
): Fault {
  const own = fields.filter(({ secret }) => secret === (kind === 'secrets'));
  const names = own.map(({ name }) => name).join(', ') || 'none';
  const predicate = field
    ? `is in the wrong place: send it in ${field.secret ? 'secrets' : 'settings'}`
    : `is not a field of this processor. The fields of ${kind} are ${names}`;
  return { code: 'unknown_attribute', predicate };
}

const otherMode: Readonly<Record<Mode, Mode>> = { live: 'sandbox', sandbox: 'live' };

const matches = (value: string, pattern: RegExp | undefined): boolean =>
  !pattern || new RegExp(`^(?:${pattern.source})$`, pattern.flags).test(value);

/** The fault never repeats the value, which may be a secret. */
function faultOf(field: AccountField, value: unknown, mode: Mode): Fault | undefined {
  const { secret, required, example, pattern, mode_patterns } = field;
  const hasPattern = pattern !== undefined || mode_patterns !== undefined;
  if (value === null) return required ? { code: 'blank', predicate: 'is required' } : undefined;
  if (typeof value !== 'string' || value === '')
    return { code: 'invalid', predicate: 'must be a text' };
  const min = secret && !hasPattern ? SECRET_CHARS_MIN : 1;
  const max = secret ? SECRET_CHARS_MAX : SETTING_CHARS_MAX;
  if (value.length < min)
    return { code: 'too_short', predicate: `must have at least ${min} characters` };
  if (value.length > max)
    return { code: 'too_long', predicate: `must have at most ${max} characters` };
  if (matches(value, mode_patterns?.[mode] ?? pattern)) return undefined;
  if (mode_patterns && matches(value, mode_patterns[otherMode[mode]]))
    return {
      code: 'invalid',
      predicate: `is of ${otherMode[mode]} mode. The account is of ${mode} mode`,
    };
  const hint = example === undefined ? '' : `, such as ${example}`;
  return { code: 'invalid', predicate: `does not have the form that the processor uses${hint}` };
}

const problemAt = (kind: Kind, name: string, { code, predicate }: Fault): Problem => ({
  code,
  detail: `${kind}.${name} ${predicate}.`,
  source: { pointer: `/${kind}/${name}` },
});
