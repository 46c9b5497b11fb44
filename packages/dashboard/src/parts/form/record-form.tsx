import type { Relation } from '@florin/contract/resources/define-resource.ts';
import { Button, Group, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type ReactNode, type Ref, useEffect, useImperativeHandle, useMemo } from 'react';
import { problemsByField } from '../../api/errors.ts';
import type { Draft } from '../../api/queries.ts';
import type { AnyAttributes } from '../../api/types.ts';
import { useLocale, useTexts } from '../../i18n/use-texts.ts';
import { ProblemAlert } from '../feedback/problem-alert.tsx';
import { focusFirstError } from './focus-first-error.ts';
import { attributesOfForm, type Fields, initialValues, type NumberProblem } from './form-values.ts';
import { FieldInput } from './inputs/field-input.tsx';
import { RelationInput } from './inputs/relation-input.tsx';
import type { AnyForm } from './inputs/types.ts';
import { useAmountProblem } from './use-amount-problem.ts';

/** Methods of a form for its parent. */
export interface FormHandle {
  /** Whether the form has unsaved input. */
  isChanged(): boolean;
  /**
   * Returns the current content as a request body. If an input is wrong, the form shows the problem and the result is
   * undefined.
   */
  draft(): Draft | undefined;
}

export interface RecordFormProps {
  readonly handle?: Ref<FormHandle> | undefined;
  /** Fields with inputs, in this order. */
  readonly fields: Fields;
  readonly relations?: Readonly<Record<string, Relation>>;
  /** Attributes of the record to change. Only differences are sent. */
  readonly attributes?: AnyAttributes;
  /** Initial values of a new record. */
  readonly preset?: AnyAttributes;
  /** Currency of amounts if no field of the form contains one. */
  readonly currency?: string | undefined;
  readonly submitText: string;
  readonly onSubmit: (draft: Draft) => void;
  readonly onCancel?: () => void;
  /** Error of the last submission. */
  readonly error: unknown;
  readonly isPending: boolean;
  /** Additional inputs at the end. */
  readonly children?: ReactNode;
}

/** A form generated from definitions. The server's problems appear at their inputs. */
export function RecordForm(props: RecordFormProps) {
  const { fields, relations = {}, submitText, onCancel, error, isPending, children } = props;
  const t = useTexts('common');
  const { form, submit, others } = useRecordForm(props);
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {error !== null && others.length > 0 && <ProblemAlert error={error} problems={others} />}
        {requiredFirst(fields).map(([name, field]) => (
          <FieldInput
            key={name}
            path={name}
            name={name}
            field={field}
            form={form}
            isUpdate={props.attributes !== undefined}
            currency={props.currency}
          />
        ))}
        {Object.entries(relations).map(([name, relation]) => (
          <RelationInput key={name} name={name} relation={relation} form={form} />
        ))}
        {children}
        <Group justify="flex-end">
          {onCancel && (
            <Button variant="default" onClick={onCancel}>
              {t('cancel')}
            </Button>
          )}
          <Button type="submit" loading={isPending}>
            {submitText}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Sorts required fields first. The second address line stays behind the first. */
const requiredFirst = (fields: Fields) => {
  const isFirst = ([name, { create }]: [string, Fields[string]]) =>
    Number(create === 'required' || name === 'line_2');
  return Object.entries(fields).toSorted((a, b) => isFirst(b) - isFirst(a));
};

const NO_RELATIONS = {};

function useRecordForm(props: RecordFormProps) {
  const { fields, relations = NO_RELATIONS, attributes, preset, currency } = props;
  const { handle, onSubmit, error } = props;
  const locale = useLocale();
  const problemText = useProblemText();
  const valuesBefore = useMemo(
    () => initialValues(fields, attributes ?? {}, { currency, locale }),
    [fields, attributes, currency, locale],
  );
  const form = useForm<Record<string, unknown>>({
    initialValues: {
      ...initialValues(fields, attributes ?? preset ?? {}, { currency, locale }),
      $relations: {},
    },
  });
  const readDraft = (): Draft | undefined => {
    const { values } = form;
    const missing = missingOf(props, values);
    const { attributes: written, wrong } = attributesOfForm(fields, values as never, {
      before: attributes ? valuesBefore : emptyOf(valuesBefore, preset),
      currency,
      locale,
    });
    form.setErrors(problemText(missing, wrong));
    if (missing.length + wrong.length > 0) return void focusFirstError(document);
    return { attributes: written, ...linksOf(values, relations) };
  };
  const submit = form.onSubmit(() => {
    const submission = readDraft();
    if (submission) onSubmit(submission);
  });
  const isChanged = () => {
    const initial = attributes ? valuesBefore : initialValues(fields, preset, { currency, locale });
    return Object.keys(fields).some((it) => !isSame(initial[it], form.values[it]));
  };
  useImperativeHandle(handle, () => ({ isChanged, draft: readDraft }));
  return { form, submit, others: useProblems(form, error, { fields, relations }) };
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** Shows refused values at their inputs. Returns the remaining problems. */
function useProblems(
  form: AnyForm,
  error: unknown,
  { fields, relations }: { readonly fields: object; readonly relations: object },
) {
  const hasField = (path: string): boolean => {
    const [first = ''] = path.split('.');
    return Object.hasOwn(fields, first) || Object.hasOwn(relations, first);
  };
  const problems = problemsByField(error, hasField);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the form object changes with every render.
  useEffect(() => {
    if (error) form.setErrors(asPaths(problems.fields, relations));
  }, [error]);
  return problems.others;
}

/** Returns messages for missing values and for invalid numbers. */
function useProblemText() {
  const t = useTexts('records');
  const amountProblem = useAmountProblem();
  return (missing: readonly string[], wrong: readonly NumberProblem[]): Record<string, string> => ({
    ...Object.fromEntries(
      wrong.map(({ path, problem, currency }) => [
        path,
        problem === 'currency_first' || problem === 'not_a_number'
          ? t(problem)
          : amountProblem(problem, currency ?? ''),
      ]),
    ),
    ...Object.fromEntries(missing.map((path) => [path, t('required')])),
  });
}

/** Initial values to compare with, without the presets: a create also sends preset values. */
const emptyOf = (before: AnyAttributes, preset: AnyAttributes = {}) =>
  Object.fromEntries(Object.entries(before).filter(([name]) => !(name in preset))) as never;

const asPaths = (
  problems: Readonly<Record<string, string>>,
  relations: object,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(problems).map(([path, text]) => [
      Object.hasOwn(relations, path) ? `$relations.${path}` : path,
      text,
    ]),
  );

function missingOf(
  { fields, relations = {}, attributes }: RecordFormProps,
  values: Record<string, unknown>,
): string[] {
  if (attributes) return [];
  const chosen = values.$relations as Record<string, string>;
  return [
    ...Object.entries(relations)
      .filter(([name, { create }]) => create === 'required' && !chosen[name])
      .map(([name]) => `$relations.${name}`),
    ...Object.entries(fields)
      .filter(([name, { create }]) => create === 'required' && values[name] === '')
      .map(([name]) => name),
  ];
}

function linksOf(
  values: Record<string, unknown>,
  relations: Readonly<Record<string, Relation>>,
): Pick<Draft, 'relationships'> {
  const chosen = Object.entries(values.$relations as Record<string, string>).filter(
    ([, id]) => id !== '',
  );
  if (chosen.length === 0) return {};
  const links = chosen.map(([name, id]) => {
    const link = { type: relations[name]?.to, id: id.trim() };
    return [name, { data: relations[name]?.many ? [link] : link }];
  });
  return { relationships: Object.fromEntries(links) };
}
