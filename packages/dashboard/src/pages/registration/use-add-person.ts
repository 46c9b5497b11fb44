import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { callInterface } from '../../api/client.ts';
import { newKey } from '../../api/keys.ts';
import { keyOf } from '../../api/queries.ts';
import { useScope } from '../../api/scope.ts';
import type { AnyAttributes, Document, RecordOf, ResourceType, Scope } from '../../api/types.ts';

const addressFields = ['line_1', 'line_2', 'city', 'state', 'zip', 'country'] as const;

/** Input for a person, by the record that stores each part. */
interface PersonDraft {
  readonly address: AnyAttributes;
  readonly person: AnyAttributes;
  readonly role: unknown;
  readonly ownership_percentage: unknown;
}

function draftOf({ role, ownership_percentage, ...rest }: AnyAttributes): PersonDraft {
  const entries = Object.entries(rest);
  const isAddress = ([name]: [string, unknown]) =>
    (addressFields as readonly string[]).includes(name);
  return {
    address: Object.fromEntries(entries.filter(isAddress)),
    person: Object.fromEntries(entries.filter((entry) => !isAddress(entry))),
    role,
    ownership_percentage,
  };
}

/**
 * Returns a function that adds a person with an address: officials with a role, owners with a share.
 * Idempotency keys live as long as the form, so a retry creates only the missing records.
 */
export function useAddPerson() {
  const { merchant } = useScope();
  const queries = useQueryClient();
  const keys = useRef<Record<string, string>>({});
  return useMutation({
    mutationFn: async (attributes: AnyAttributes) => {
      const scope = { merchant, mode: 'live' } as const;
      const { address, person, role, ownership_percentage } = draftOf(attributes);
      const make = createFunction(scope, keys.current);
      const legal_address = await make('legal_addresses', address);
      const identification = await make('personal_identifications', person, { legal_address });
      const links = { personal_identification: identification };
      if (role) await make('corporate_officials', { role, daily_contact: true }, links);
      if (ownership_percentage) {
        await make('beneficial_owners', { ownership_percentage }, links);
      }
    },
    onSuccess: () => {
      keys.current = {};
      return Promise.all([
        queries.invalidateQueries({ queryKey: ['dashboard'] }),
        queries.invalidateQueries({ queryKey: keyOf({ merchant, mode: 'live' }) }),
      ]);
    },
  });
}

/**
 * Creates a record with an idempotency key per content: an unchanged record keeps its key, a changed one gets a new
 * key.
 */
function createFunction(scope: Scope, keys: Record<string, string>) {
  return async (
    type: ResourceType,
    attributes: AnyAttributes,
    links: Readonly<Record<string, { type: string; id: string }>> = {},
  ) => {
    const relationships = Object.fromEntries(
      Object.entries(links).map(([name, data]) => [name, { data }]),
    );
    const body = { data: { type, attributes, relationships } };
    const key_text = JSON.stringify(body);
    const idempotency_key = keys[key_text] ?? newKey();
    keys[key_text] = idempotency_key;
    const options = { method: 'POST', body, idempotency_key } as const;
    const { document } = await callInterface<Document<RecordOf<typeof type>>>(
      scope,
      `/v2/${type}`,
      options,
    );
    return { type, id: document.data.id };
  };
}
