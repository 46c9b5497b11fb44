import type { Row } from '../../platform/database/row.ts';

/** Columns of an account that a change sets. `settings`, `currencies` and `networks` are JSON. */
type NewColumns = Readonly<
  Record<'name' | 'settings' | 'currencies' | 'networks' | 'descriptor', string | null>
>;

type Settings = Readonly<Record<string, string>>;

/** Names of choices and settings that a change gives another value, for the audit. Secrets are not among them. */
export function changedNames(before: Row, after: NewColumns): readonly string[] {
  const choices = (['name', 'descriptor'] as const).filter(
    (name) => (before[name] ?? null) !== after[name],
  );
  const lists = (['currencies', 'networks'] as const).filter(
    (name) => normal(before[name]) !== normal(after[name]),
  );
  return [...choices, ...lists, ...changedSettings(settingsOf(before), settingsOf(after))];
}

const settingsOf = ({ settings }: Row): Settings => JSON.parse(settings as string) as Settings;

const changedSettings = (before: Settings, after: Settings): readonly string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => before[name] !== after[name],
  );

/** The database writes JSON with other white space than we do. */
const normal = (json: string | null | undefined): string =>
  json == null ? '' : JSON.stringify(JSON.parse(json));
