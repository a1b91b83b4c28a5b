/** One line for each change. That a package depends on another one that changed is no news: all share one version. */
module.exports = {
  getReleaseLine: async ({ summary }) => `- ${summary.trim().replace(/\n/g, "\n  ")}`,
  getDependencyReleaseLine: async () => "",
};
