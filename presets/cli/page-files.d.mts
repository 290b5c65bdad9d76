/** Copies the `page` folders of all plugins. */
export declare function copyPageFiles (root: string, target: string): void
