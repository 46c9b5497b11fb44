import { roleSlugs } from '@florin/contract/roles.ts';
import { Checkbox, Group, Table, Text } from '@mantine/core';
import { isResourceType, useRegistry } from '../../api/registry.ts';
import { holds, useScope } from '../../api/scope.ts';
import { useNames } from '../../i18n/use-names.ts';
import { useTexts } from '../../i18n/use-texts.ts';
import { changeOf } from './preset.ts';

const accesses = ['read', 'create', 'update'] as const;

interface Props {
  readonly slugs: readonly string[];
  /** Permissions with which changes are compared; undefined marks none. */
  readonly before?: readonly string[] | undefined;
  readonly onChange: (slugs: readonly string[]) => void;
}

/** All permissions, with a row per type. Changes are marked. */
export function PermissionGrid({ slugs, before, onChange }: Props) {
  const t = useTexts('team');
  const names = useNames();
  const registry = useRegistry();
  const chosenSlugs = new Set(slugs);
  const earlierSlugs = new Set(before ?? slugs);
  const toggle = (slug: string) =>
    onChange(
      chosenSlugs.has(slug) ? slugs.filter((chosenSlug) => chosenSlug !== slug) : [...slugs, slug],
    );
  return (
    <Table.ScrollContainer minWidth={420} mah={360}>
      <Table stickyHeader aria-label={t('records')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('records')}</Table.Th>
            {accesses.map((access) => (
              <Table.Th scope="col" key={access}>
                {t(`access_${access}`)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {types
            .filter(({ type }) => isResourceType(registry, type))
            .map(({ prefix, type }) => (
              <Table.Tr key={prefix}>
                <Table.Th scope="row" fw={400}>
                  {names.type(type)}
                </Table.Th>
                {accesses.map((access) => (
                  <Table.Td key={access}>
                    <Cell
                      slug={`${prefix}.${access}`}
                      label={`${names.type(type)}: ${t(`access_${access}`)}`}
                      isOn={chosenSlugs.has(`${prefix}.${access}`)}
                      wasOn={earlierSlugs.has(`${prefix}.${access}`)}
                      onToggle={toggle}
                    />
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

const administratorSlugs = new Set(roleSlugs('administrator'));

const types = [
  ...new Set([...administratorSlugs].map((slug) => slug.split('.').slice(0, 2).join('.'))),
].map((prefix) => ({ prefix, type: prefix.split('.')[1] ?? '' }));

interface CellProps {
  readonly slug: string;
  readonly label: string;
  readonly isOn: boolean;
  readonly wasOn: boolean;
  readonly onToggle: (slug: string) => void;
}

const SIGNS = { added: '+', removed: '−' } as const;

function Cell({ slug, label, isOn, wasOn, onToggle }: CellProps) {
  const t = useTexts('team');
  const scope = useScope();
  if (!administratorSlugs.has(slug)) return null;
  const change = changeOf(isOn, wasOn);
  return (
    <Group gap={6} wrap="nowrap">
      <Checkbox
        aria-label={change ? `${label} (${t(`change_${change}`)})` : label}
        checked={isOn}
        disabled={!holds(scope, slug)}
        onChange={() => onToggle(slug)}
      />
      {change && (
        <Text component="span" fw={700} aria-hidden title={t(`change_${change}`)}>
          {SIGNS[change]}
        </Text>
      )}
    </Group>
  );
}
