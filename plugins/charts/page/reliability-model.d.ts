interface Results { readonly name: string, readonly finished: number, readonly failed: number }
export function judgedOf (group: Pick<Results, 'finished' | 'failed'>): number
export function failedShare (group: Pick<Results, 'finished' | 'failed'>): number
export function byFailures<G extends Results> (groups: readonly G[]): G[]
export function worstOf<G extends Results> (groups: readonly G[]): G | undefined
