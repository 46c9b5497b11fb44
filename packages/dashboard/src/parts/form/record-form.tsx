import type { Relation } from '@florin/contract/resources/define-resource.ts';
import { Button, Group, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type ReactNode, useEffect, useMemo } from 'react';
import { problemsByField } from '../../api/errors.ts';
import type { Draft } from '../../api/queries.ts';
import type { AnyAttributes } from '../../api/types.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { ProblemAlert } from '../feedback/problem-alert.tsx';
import { FieldInput } from './field-input.tsx';
import { type Fields, initialValues, writtenValues } from './form-values.ts';
import { RelationInput } from './relation-input.tsx';

export interface RecordFormProps {
  /** What can be typed in, in this order. */
  readonly fields: Fields;
  readonly relations?: Readonly<Record<string, Relation>>;
  /** The record that is changed: only what differs from it is written. */
  readonly attributes?: AnyAttributes;
  /** What the form begins with, where it makes a record. */
  readonly preset?: AnyAttributes;
  /** The currency of amounts that no field of the form tells. */
  readonly currency?: string | undefined;
  readonly submitText: string;
  readonly onSubmit: (draft: Draft) => void;
  readonly onCancel?: () => void;
  /** What became of the last try. */
  readonly error: unknown;
  readonly isPending: boolean;
  /** More to fill in, at the end. */
  readonly children?: ReactNode;
}

/** A form from definitions: an input for each field, each problem of the server at the input that it is about. */
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

/** What has to be filled in is asked first. */
const requiredFirst = (fields: Fields) =>
  Object.entries(fields).toSorted(
    ([, one], [, other]) => Number(other.create === 'required') - Number(one.create === 'required'),
  );

const NO_RELATIONS = {};

function useRecordForm(props: RecordFormProps) {
  const { fields, relations = NO_RELATIONS, attributes, preset, currency, onSubmit, error } = props;
  const t = useTexts('records');
  const before = useMemo(
    () => initialValues(fields, attributes ?? {}, currency),
    [fields, attributes, currency],
  );
  const form = useForm<Record<string, unknown>>({
    initialValues: {
      ...initialValues(fields, attributes ?? preset ?? {}, currency),
      $relations: {},
    },
  });
  const has = (path: string): boolean => {
    const [first = ''] = path.split('.');
    return Object.hasOwn(fields, first) || Object.hasOwn(relations, first);
  };
  const problems = problemsByField(error, has);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the form is another one at every showing.
  useEffect(() => {
    if (error) form.setErrors(asPaths(problems.fields, relations));
  }, [error]);
  const submit = form.onSubmit((values) => {
    const missing = missingOf(props, values);
    const { attributes: written, wrong } = writtenValues(fields, values as never, {
      before: attributes ? before : emptyOf(before, preset),
      currency,
    });
    form.setErrors({
      ...Object.fromEntries(missing.map((path) => [path, t('required')])),
      ...Object.fromEntries(wrong.map((path) => [path, t('not_an_amount')])),
    });
    if (missing.length + wrong.length > 0) return focusFirstError();
    onSubmit({ attributes: written, ...linksOf(values, relations) });
  });
  return { form, submit, others: problems.others };
}

/** A create says what its form began with as well. */
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

/** After the inputs have been shown with what is wrong. */
const focusFirstError = (): void =>
  void requestAnimationFrame(() =>
    document.querySelector<HTMLElement>('form [aria-invalid="true"]')?.focus(),
  );
