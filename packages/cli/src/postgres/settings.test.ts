import { describe, expect, it } from 'vitest';
import { renderSettings } from './settings.ts';

const settingOf = (text: string, name: string) =>
  new RegExp(`^${name} = '(.*)'$`, 'm').exec(text)?.[1];

describe('the configuration of PostgreSQL', () => {
  const durable = renderSettings({
    socketDirectory: "/run/o'hara",
    root: "/srv/50% o'hara",
    durable: true,
  });

  it.each(['fsync', 'full_page_writes', 'synchronous_commit'])(
    '%s is on, except for throw-away data',
    (name) => {
      expect(settingOf(durable, name)).toBe('on');
      expect(
        settingOf(renderSettings({ socketDirectory: '/run', root: '/srv', durable: false }), name),
      ).toBe('off');
    },
  );

  it('looks every ten seconds for tables that need an analysis', () => {
    expect(settingOf(durable, 'autovacuum_naptime')).toBe('10s');
  });

  it('listens on its private socket alone', () => {
    expect(settingOf(durable, 'listen_addresses')).toBe('');
    expect(settingOf(durable, 'unix_socket_permissions')).toBe('0700');
  });

  it('keeps statements and values out of the log', () => {
    expect(settingOf(durable, 'log_min_error_statement')).toBe('panic');
    expect(settingOf(durable, 'log_parameter_max_length')).toBe('0');
    expect(settingOf(durable, 'log_error_verbosity')).toBe('terse');
  });

  it('hands its log to the backup, in a directory of any name', () => {
    expect(settingOf(durable, 'archive_mode')).toBe('on');
    expect(settingOf(durable, 'archive_command')).toContain(
      "test -d ''/srv/50%% o''\\''''hara/postgres-archive'' || exit 0; cp \"%p\" ",
    );
  });

  it('quotes its values', () => {
    expect(settingOf(durable, 'unix_socket_directories')).toBe(`"/run/o''hara"`);
  });
});
