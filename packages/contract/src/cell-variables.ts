import type { Variable } from './variable.ts';

/** Variables of an installation with cells. */
export const cellVariables = {
  FLORIN_GLOBAL_DATABASE_URL: {
    topic: 'server',
    is_secret: true,
    meaning:
      'Database of people, their sessions and the secrets of the installation, where `DATABASE_URL` names a cell.',
    default: '`DATABASE_URL`',
  },
  FLORIN_CELLS: {
    topic: 'server',
    meaning:
      'For `florin serve router`: names of cells and origins of their servers, separated by commas, such as `home=http://10.0.0.5:4000,away=http://10.0.0.6:4000`. The first one that is ready serves sign-in and pages that belong to no merchant.',
  },
} as const satisfies Readonly<Record<string, Variable>>;
