"""Steps of the lifecycle: jobs that change memories long after they were accepted."""
