export type Environment = Readonly<Record<string, string | undefined>>

/** The process's environment; nothing else in the package reads it. */
export const environment = (): Environment => process.env

/** Variables that programs need to run: search paths, temporary folders, locale. */
const BASIC = /^(PATH|PATHEXT|HOME|USERPROFILE|TMPDIR|TMP|TEMP|SYSTEMROOT|WINDIR|LANG|LC_.+|TZ|LD_LIBRARY_PATH|DYLD_.+)$/i

/** Variables that a program needs to open a window on the user's desktop. */
export const DESKTOP = /^(DISPLAY|WAYLAND_.+|XAUTHORITY|XDG_.+|DBUS_.+|DESKTOP_.+|GNOME_.+|KDE_.+|BROWSER|APPDATA|LOCALAPPDATA|PROGRAM.+|WSL_.+)$/i

/** The environment of a child process, without our own variables, which may contain tokens and access codes. */
export const childEnvironment = (extra?: RegExp, env: Environment = environment()): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => BASIC.test(name) || extra?.test(name) === true))
