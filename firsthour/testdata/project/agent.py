print("an agent")
