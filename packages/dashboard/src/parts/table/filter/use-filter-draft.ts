import type { Resource as Definition, Field } from '@florin/contract/resources/define-resource.ts';
import { type AmountProblem, readAmount } from '@florin/contract/typed-amounts.ts';
import { useState } from 'react';
import type { Parameters } from '../../../api/queries.ts';
import { useLocale } from '../../../i18n/use-texts.ts';
import {
  currencyAmong,
  currencyFieldOf,
  type Operator,
  operatorsOf,
  takesNone,
  withAmount,
  writeFilter,
} from './filters.ts';
import { queryableFields } from './queryable.ts';

export interface FilterFormProps {
  readonly definition: Definition;
  /** Query parameters of the address with the applied filters. */
  readonly search: Parameters;
  readonly onApply: (changes: Parameters) => void;
}

/** A filter that is not applied yet. */
export interface FilterDraft {
  readonly name: string;
  choose(name: string): void;
  readonly operator: Operator;
  readonly operators: readonly Operator[];
  compareBy(operator: Operator): void;
  /** Values as typed. */
  readonly values: readonly string[];
  setValues(values: readonly string[]): void;
  /** Currency of an amount; undefined for other fields. */
  readonly currency: string | undefined;
  setCurrency(currency: string): void;
  /** Reason why the typed value is no valid amount. */
  readonly problem: AmountProblem | 'currency_first' | undefined;
  apply(): void;
}

/** Holds the input of a filter until it is applied. */
export function useFilterDraft({ definition, search, onApply }: FilterFormProps): FilterDraft {
  const { fields } = definition;
  const locale = useLocale();
  const [name, setName] = useState(queryableFields(definition)[0]?.[0] ?? '');
  const [chosen, compareBy] = useState<Operator>();
  const [values, setValues] = useState<readonly string[]>([]);
  const [picked, setCurrency] = useState<string>();
  const [problem, setProblem] = useState<FilterDraft['problem']>();
  const field = fields[name];
  const operators = field ? operatorsOf(field) : [];
  const operator = operators.find((it) => it === chosen) ?? operators[0] ?? 'eq';
  const currencyField = currencyFieldOf(name, fields);
  const currency = currencyField && (picked ?? currencyAmong(search, currencyField) ?? '');
  const apply = () => {
    const isAmount = currency !== undefined && !takesNone(operator);
    if (!isAmount)
      return onApply(writeFilter({ name, operator, values: utcValues(field, values) }));
    const amount = readAmount(values[0] ?? '', currency, locale);
    if (currency === '') setProblem('currency_first');
    else if ('problem' in amount) setProblem(amount.problem);
    else {
      const filter = { name, operator, values: [String(amount.cents)] };
      onApply(withAmount(filter, currency, { search, fields }));
    }
  };
  return {
    ...{ name, operator, operators, compareBy, values, setValues, currency, problem, apply },
    choose: (next) => {
      setName(next);
      setValues([]);
      setProblem(undefined);
    },
    setCurrency,
  };
}

/** Converts typed local times to UTC. */
const utcValues = (field: Field | undefined, values: readonly string[]): readonly string[] =>
  field?.type === 'timestamp' ? values.map((value) => new Date(value).toISOString()) : values;
