/** Receives the progress of a rotation as plain sentences. */
export type Say = (sentence: string) => void;
