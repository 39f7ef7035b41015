/** Every dialect and transform of the project. */
export { defaultRegistry as registry } from 'sconv';
