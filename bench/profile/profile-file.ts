/** Package of a program of Florin: `server` for `packages/server/src/main.ts`. */
export const programOf = (script: string): string =>
  /packages\/([a-z-]+)\//.exec(script)?.[1] ?? 'other';

export const profileFileOf = (program: string): string => `${program}.cpuprofile`;
