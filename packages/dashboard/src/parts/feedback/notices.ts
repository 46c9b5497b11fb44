import { createContext, use } from 'react';

type Tone = 'success' | 'problem';

/** Tells the person what became of what they did: seen in a corner, and read out. */
export type Notify = (text: string, tone?: Tone) => void;

export interface Notice {
  readonly id: number;
  readonly text: string;
  readonly tone: Tone;
}

export const NoticeContext = createContext<Notify>(() => {});

export const useNotify = (): Notify => use(NoticeContext);
