import { permissionSlug } from '@florin/contract/permissions.ts';
import type { Resource as Definition } from '@florin/contract/resources/define-resource.ts';
import { Button, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMemo } from 'react';
import { useList } from '../../api/list.ts';
import { useRecord } from '../../api/queries.ts';
import { useRegistry } from '../../api/registry.ts';
import { useCan, useScope } from '../../api/scope.ts';
import type { Resource, ResourceType } from '../../api/types.ts';
import { useNames } from '../../i18n/use-names.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { Loading } from '../../parts/feedback/loading.tsx';
import { ProblemAlert } from '../../parts/feedback/problem-alert.tsx';
import { CreateDialog } from '../../parts/form/create-dialog.tsx';
import { EditDialog } from '../../parts/form/edit-dialog.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { AttributeList } from '../../parts/record/attribute-list.tsx';
import { Section } from '../../parts/record/section.tsx';
import { ResourceTable } from '../../parts/table/resource-table.tsx';
import { StateBadge } from '../../parts/value/state-badge.tsx';
import { SetUpNote } from '../registration/set-up-note.tsx';
import { BRAND, BrandSettings } from './brand.tsx';
import { columnsOf, type SectionAttributes } from './columns.tsx';
import { DocumentSettings, SELLER } from './documents.tsx';

/** Profile, people and bank account of the merchant. */
export function Business() {
  const t = useTexts('business');
  const { standing } = useScope();
  const merchants = useList('merchants');
  const id = merchants.data?.pages[0]?.data[0]?.id;
  return (
    <>
      <PageTitle title={t('title')} aside={standing && <StateBadge state={standing} />} />
      <SetUpNote />
      {merchants.error && (
        <ProblemAlert error={merchants.error} onRetry={() => void merchants.refetch()} />
      )}
      {merchants.isPending && <Loading />}
      <Stack gap="lg">
        {id && <Profile id={id} />}
        {parts.map((part) => (
          <Part key={part.type} part={part} />
        ))}
      </Stack>
    </>
  );
}

/** Most used settings; the form has the others. */
const SHOWN = [
  'business_name',
  'business_description',
  'business_email',
  'business_support_email',
  'business_website',
  'business_terms_url',
  'business_privacy_policy_url',
  'business_timezone',
  'phone_number',
  'category_code',
  'entity_type',
  'accepted_currencies',
  'threeds_live',
  'threeds_sandbox',
  'locale',
  'active_at',
];

/** Attributes with a section of their own. */
const OWN_SECTION = [...BRAND, ...SELLER];

function Profile({ id }: { readonly id: string }) {
  const t = useTexts('business');
  const can = useCan();
  const definition: Definition = useRegistry().merchants;
  const [isOpen, { open, close }] = useDisclosure(false);
  const query = useRecord('merchants', id);
  if (query.error) {
    return <ProblemAlert error={query.error} onRetry={() => void query.refetch()} />;
  }
  if (!query.data) return <Loading />;
  const reload = () => void query.refetch();
  return (
    <>
      <Section
        title={t('profile')}
        actions={
          can('user.merchants.update') && (
            <Button size="xs" variant="default" onClick={open}>
              {t('edit')}
            </Button>
          )
        }
      >
        <AttributeList
          record={query.data.record as Resource}
          fields={definition.fields}
          names={SHOWN}
        />
        <EditDialog
          type="merchants"
          title={t('edit')}
          only={Object.keys(definition.fields).filter((name) => !OWN_SECTION.includes(name))}
          fetched={query.data}
          isOpen={isOpen}
          onClose={close}
          reload={reload}
        />
      </Section>
      <BrandSettings fetched={query.data} reload={reload} />
      <DocumentSettings fetched={query.data} reload={reload} />
    </>
  );
}

/** Related records of the merchant. */
interface PartOf extends SectionAttributes {
  readonly type: ResourceType;
  readonly text: 'owners' | 'officials' | 'identifications' | 'addresses' | 'bank' | 'processors';
}

const person = 'personal_identification';

const parts: readonly PartOf[] = [
  { type: 'beneficial_owners', text: 'owners', person, attributes: ['ownership_percentage'] },
  {
    type: 'corporate_officials',
    text: 'officials',
    person,
    attributes: ['role', 'daily_contact', 'payments_decision_maker'],
  },
  {
    type: 'personal_identifications',
    text: 'identifications',
    attributes: ['full_name', 'email', 'dob', 'nationality', 'id_number'],
  },
  {
    type: 'legal_addresses',
    text: 'addresses',
    attributes: ['line_1', 'line_2', 'zip', 'city', 'state', 'country'],
  },
  { type: 'financial_institutions', text: 'bank', attributes: ['name', 'state'] },
  {
    type: 'processor_details',
    text: 'processors',
    attributes: ['kind', 'onboarding_state', 'processing_state'],
  },
];

/** A section, shown with the read permission. The create permission adds a button. */
function Part({ part }: { readonly part: PartOf }) {
  const { type, text } = part;
  const t = useTexts('business');
  const can = useCan();
  const names = useNames();
  const definition: Definition = useRegistry()[type];
  const columns = useMemo(() => columnsOf(names, definition, part), [names, definition, part]);
  const [isOpen, { open, close }] = useDisclosure(false);
  const isCreated =
    definition.operations.includes('create') && can(permissionSlug(definition, 'create'));
  if (!can(permissionSlug(definition, 'read'))) return null;
  return (
    <Section
      title={t(text)}
      actions={
        isCreated && (
          <Button size="xs" variant="default" onClick={open} aria-label={`${t('add')}: ${t(text)}`}>
            {t('add')}
          </Button>
        )
      }
    >
      <Text size="sm" c="dimmed" mb="sm">
        {t(`${text}_hint`)}
      </Text>
      <ResourceTable
        type={type}
        label={t(text)}
        columns={columns}
        {...(part.person && { fixed: { include: part.person } })}
        plain
        empty={<Text c="dimmed">{t('none_yet')}</Text>}
      />
      {isCreated && <CreateDialog type={type} isOpen={isOpen} onClose={close} />}
    </Section>
  );
}
