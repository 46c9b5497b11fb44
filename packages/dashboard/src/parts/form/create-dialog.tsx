import { type SendKey, useSendKey } from '../../api/keys.ts';
import { useCreate } from '../../api/queries.ts';
import { useRegistry } from '../../api/registry.ts';
import type { AnyAttributes, RecordOf, ResourceType } from '../../api/types.ts';
import { usePreloadedHelp } from '../../i18n/use-help.tsx';
import { useNames } from '../../i18n/use-names.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { useNotify } from '../feedback/notices.ts';
import { DialogFrame } from './dialog-frame.tsx';
import { type Fields, writableFields } from './form-values.ts';
import { RecordForm } from './record-form.tsx';

interface Props<T extends ResourceType> {
  readonly type: T;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** Title of the dialog. Default: the type's name. */
  readonly title?: string;
  /** Fields of the form. Default: all fields that a create may set. */
  readonly only?: readonly string[];
  readonly preset?: AnyAttributes;
  /** Preset relations without an input: `{ payment_demand: id }`. */
  readonly links?: Readonly<Record<string, string>>;
  /** Currency of amounts if the form has no input for it. */
  readonly currency?: string | undefined;
  readonly onDone?: (record: RecordOf<T>) => void;
}

/**
 * Creates a record of any type in a dialog. A second click, or a form reopened after a missing response, creates no
 * second record.
 */
export function CreateDialog<T extends ResourceType>(props: Props<T>) {
  const { type, isOpen, onClose, title } = props;
  const t = useTexts('records');
  const names = useNames();
  const sendKey = useSendKey();
  usePreloadedHelp();
  return (
    <DialogFrame
      isOpen={isOpen}
      onClose={onClose}
      isWide
      title={title ?? t('create_title', { type: names.type(type) })}
    >
      <CreateForm {...props} sendKey={sendKey} />
    </DialogFrame>
  );
}

function CreateForm<T extends ResourceType>(props: Props<T> & { readonly sendKey: SendKey }) {
  const { type, onClose, only, preset, links = {}, currency, onDone, sendKey } = props;
  const t = useTexts('records');
  const notify = useNotify();
  const definition = useRegistry()[type];
  const create = useCreate(type, sendKey);
  const relations = Object.entries(definition.relations);
  const presetLinks = relations.flatMap(([name, { to }]) =>
    links[name] ? [[name, { data: { type: to, id: links[name] } }]] : [],
  );
  const linkable = relations.filter(([name, { create: may }]) => may && !links[name] && !only);
  return (
    <RecordForm
      fields={chosenFields(writableFields(definition.fields, 'create'), only)}
      relations={Object.fromEntries(linkable)}
      {...(preset && { preset })}
      currency={currency}
      submitText={t('create')}
      error={create.error}
      isPending={create.isPending}
      onCancel={onClose}
      onSubmit={({ attributes, relationships }) =>
        create.mutate(
          {
            attributes: attributes ?? {},
            relationships: { ...relationships, ...Object.fromEntries(presetLinks) },
          },
          {
            onSuccess: (record) => {
              notify(t('created'));
              onClose();
              onDone?.(record);
            },
          },
        )
      }
    />
  );
}

/** Returns the fields that get an input. Idempotency keys never get one. */
const chosenFields = (fields: Fields, onlyNames: readonly string[] | undefined): Fields =>
  Object.fromEntries(
    Object.entries(fields).filter(([name]) =>
      onlyNames ? onlyNames.includes(name) : name !== 'idempotency_key',
    ),
  );
