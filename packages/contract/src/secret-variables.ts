import type { Variable } from './variable.ts';
import { type VariableName, variables } from './variables.ts';

/** Variables that hold a secret. Each can be read from a file: see `secretFileOf`. */
export const secretVariables = Object.entries<Variable>(variables)
  .filter(([, { is_secret }]) => is_secret)
  .map(([name]) => name as VariableName);

/** Name of the variable that names a file with the value of a secret, as container images have it. */
export const secretFileOf = (name: VariableName): string => `${name}_FILE`;
