/** Copies the `page` folders of all plugins. */
export declare function copyUncompiledFiles (root: string, target: string): void
