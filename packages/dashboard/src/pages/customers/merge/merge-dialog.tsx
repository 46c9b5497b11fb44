import { Alert, Button, Group, Radio, Stack, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type RefObject, useEffect, useRef } from 'react';
import { recordQuery } from '../../../api/queries.ts';
import { useScope } from '../../../api/scope.ts';
import type { RecordOf } from '../../../api/types.ts';
import { useLocale, useTexts } from '../../../i18n/use-texts.ts';
import { Loading } from '../../../parts/feedback/loading.tsx';
import { useNotify } from '../../../parts/feedback/notices.ts';
import { ProblemAlert } from '../../../parts/feedback/problem-alert.tsx';
import { DialogFrame } from '../../../parts/form/dialog-frame.tsx';
import { useGo } from '../../../parts/page/links.tsx';
import { recordPath } from '../../../parts/page/record-path.ts';
import { customerLabel } from './customer-label.ts';
import { MergePreview } from './merge-preview.tsx';
import { MergeProgress } from './merge-progress.tsx';
import { OtherCustomerInput } from './other-customer-input.tsx';
import { type Merge, useMerge } from './use-merge.ts';
import type { PaidCount } from './use-paid-counts.ts';

interface Props {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly customer: RecordOf<'customers'>;
  /** Id of the other customer that is chosen first. */
  readonly start?: string | undefined;
}

const REASON_MAX = 500;

/** Dialog that merges the customer of the page and another one, after a preview. */
export function MergeDialog({ isOpen, onClose, ...props }: Props) {
  const t = useTexts('customers');
  return (
    <DialogFrame isOpen={isOpen} onClose={onClose} isWide title={t('merge')}>
      <MergeSteps onClose={onClose} {...props} />
    </DialogFrame>
  );
}

/** The form, then the progress if not all records could be moved at once. */
function MergeSteps({ customer, start, onClose }: Omit<Props, 'isOpen'>) {
  const t = useTexts('customers');
  const notify = useNotify();
  const go = useGo();
  const merge = useMerge(customer.id, start);
  const openTarget = () => {
    onClose();
    go(recordPath('customers', merge.target));
  };
  const finish = (completed_at: string | null) => {
    if (completed_at === null) return;
    notify(t('merge_done'));
    openTarget();
  };
  return merge.result && merge.result.attributes.completed_at === null ? (
    <MergeProgress id={merge.result.id} onOpen={openTarget} />
  ) : (
    <MergeForm customer={customer} merge={merge} onClose={onClose} onDone={finish} />
  );
}

interface FormProps {
  readonly customer: RecordOf<'customers'>;
  readonly merge: Merge;
  readonly onClose: () => void;
  readonly onDone: (completed_at: string | null) => void;
}

function MergeForm({ customer, merge, onClose, onDone }: FormProps) {
  const t = useTexts('customers');
  const common = useTexts('common');
  const other = useOther(merge.values.other);
  const { preview, isPending, error } = merge;
  const previewRef = useFocusOn<HTMLDivElement>(preview);
  const buttonRef = useFocusOn<HTMLButtonElement>(error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!other || blocked || isPending) return;
    if (preview) merge.merge(onDone);
    else merge.ask();
  };
  const [source, target] = merge.keepsOther ? [customer, other] : [other, customer];
  const blocked = onlyBlocked(customer, other);
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {error && <ProblemAlert error={error} />}
        <MergeInputs customer={customer} other={other} merge={merge} />
        <div role="status">
          {blocked && (
            <Alert color="yellow" variant="light">
              {t('merge_blocked', { name: blocked.name || blocked.email })}
            </Alert>
          )}
          {preview && source && target && (
            <MergePreview
              ref={previewRef}
              merge={preview.attributes}
              source={source}
              target={target}
            />
          )}
        </div>
        {preview && (
          <Textarea
            label={t('merge_reason')}
            description={t('note_hint')}
            maxLength={REASON_MAX}
            autosize
            value={merge.values.reason}
            onChange={({ currentTarget }) => merge.set({ reason: currentTarget.value })}
          />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {common('cancel')}
          </Button>
          <Button
            ref={buttonRef}
            type="submit"
            loading={isPending}
            disabled={!other || merge.counts.isLoading || blocked !== undefined}
            {...(preview && { color: 'red' })}
          >
            {t(preview ? 'merge_do' : 'merge_compare')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Focuses the element of the ref when a value arrives: the button that asked for it was disabled and lost the focus. */
function useFocusOn<E extends HTMLElement>(value: unknown): RefObject<E | null> {
  const element = useRef<E>(null);
  useEffect(() => {
    if (value) element.current?.focus();
  }, [value]);
  return element;
}

/** Attributes of the blocked one, if only one of the two is blocked. */
function onlyBlocked(...customers: readonly (RecordOf<'customers'> | undefined)[]) {
  const blocked = customers.filter((it) => it?.attributes.blocked_at);
  return customers.every(Boolean) && blocked.length === 1 ? blocked[0]?.attributes : undefined;
}

/** The chosen customer; undefined until it is read. */
function useOther(id: string): RecordOf<'customers'> | undefined {
  const scope = useScope();
  return useQuery({ ...recordQuery(scope, 'customers', id), enabled: id !== '' }).data?.record;
}

interface InputProps extends Pick<FormProps, 'customer' | 'merge'> {
  readonly other: RecordOf<'customers'> | undefined;
}

function MergeInputs({ customer, other, merge }: InputProps) {
  const { values, set, counts } = merge;
  return (
    <>
      <OtherCustomerInput
        customer={customer.id}
        chosen={other}
        value={values.other}
        onChange={(id) => set({ other: id })}
      />
      {other && (counts.isLoading ? <Loading /> : <Remains {...{ customer, other, merge }} />)}
    </>
  );
}

/** Chooses the customer who remains. */
function Remains({
  customer,
  other,
  merge: { keepsOther, counts, set },
}: InputProps & { readonly other: RecordOf<'customers'> }) {
  const t = useTexts('customers');
  const locale = useLocale();
  const countText = usePaidText();
  const choices = [
    { it: customer, count: counts.own },
    { it: other, count: counts.other },
  ];
  return (
    <Radio.Group
      label={t('merge_remains')}
      description={t('merge_remains_hint')}
      value={keepsOther ? other.id : customer.id}
      onChange={(id) => set({ keepsOther: id === other.id })}
    >
      <Stack gap="xs" mt="xs">
        {choices.map(({ it, count }) => (
          <Radio
            key={it.id}
            value={it.id}
            label={customerLabel(it, locale)}
            description={count && countText(count)}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}

/** Returns a text for the number of payments: `2 payments`. */
function usePaidText(): (count: PaidCount) => string {
  const t = useTexts('customers');
  return ({ count, isMinimum }) => {
    const figure = t.count('merge_payments', count);
    return isMinimum ? t('at_least', { figure }) : figure;
  };
}
