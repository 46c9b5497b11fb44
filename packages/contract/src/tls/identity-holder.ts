import {
  readTlsIdentity,
  type TlsFault,
  type TlsFiles,
  type TlsIdentity,
  type TlsTools,
} from './identity.ts';

/** Interval in which both sides look for changed files. */
export const TLS_RELOAD_MS = 10_000;

/** The certificates in use, and what a look at their files found. */
export interface IdentityHolder {
  current(): TlsIdentity;
  /**
   * Reads the files again. Files with a fault change nothing, such as a new certificate whose key is not there yet. Each
   * fault is returned once.
   */
  reload(now: number): { readonly changed: boolean; readonly faults: readonly TlsFault[] };
}

/** Reads the files of one side. Throws `fail(fault)` for the first fault. */
export function createIdentityHolder(
  tools: TlsTools,
  files: TlsFiles,
  now: number,
  fail: (sentence: string) => Error,
): IdentityHolder {
  const { identity, faults } = readTlsIdentity(tools, files, now);
  if (!identity) throw fail(faults.map(({ problem, fix }) => `${problem} ${fix}`).join(' '));
  let current = identity;
  let reported = '';
  return {
    current: () => current,
    reload(nowAtReload) {
      const reading = readTlsIdentity(tools, files, nowAtReload);
      const codes = reading.faults.map(({ code }) => code).join();
      const faults = codes === reported ? [] : reading.faults;
      reported = codes;
      const changed = reading.identity !== undefined && !isSame(reading.identity, current);
      if (reading.identity && changed) current = reading.identity;
      return { changed, faults };
    },
  };
}

const isSame = (one: TlsIdentity, other: TlsIdentity): boolean =>
  one.cert === other.cert && one.key === other.key && one.ca === other.ca;
